import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

import { NOTHING, or } from './expression';
import { readNumberPlans, type NumberPlan } from './metadata';
import { pack } from './pack';
import { treeOfNumbers, treeOfPrefixes, writeTree } from './tree';

const VERSION = '9.0.35';
const DATE = '2026-07-16';

export const FILE = path.join(__dirname, '..', 'nodes', 'shared', 'rules', 'zoneData.ts');

const source = (name: string): string =>
	gunzipSync(readFileSync(path.join(__dirname, `${name}.gz`))).toString();

/** The zones of map_data.txt by prefix of a number. */
export function readMap(): ReadonlyMap<string, readonly string[]> {
	const rows = source('map_data.txt').matchAll(/^(\d+)\|(\S+)$/gm);
	return new Map([...rows].map(([, prefix = '', zones = '']) => [prefix, zones.split('&')]));
}

/** The file that the node reads. */
export function zoneData(): string {
	const map = readMap();
	const zones = [...new Set([...map.values()].flat())].sort();
	const labels = new Map(
		[...map].map(([prefix, its]) => [
			prefix,
			its.map((zone) => codeOf(zones.indexOf(zone))).join(''),
		]),
	);
	// Calling codes without zones are of satellites and the like: nothing is known of their numbers.
	const plans = readNumberPlans(source('PhoneNumberMetadata.xml'))
		.filter(({ callingCode }) => map.has(callingCode))
		.map((plan) => (hasOneAnswer(plan, labels) ? { ...plan, ...asOfCountry(plan) } : plan));
	const prefixes = plans.flatMap(({ callingCode, prefix, transform = '' }) =>
		prefix === undefined ? [] : [`${callingCode} ${prefix} ${transform}`],
	);
	const parts = {
		ZONES: zones.join(' '),
		AREAS: writeTree(treeOfPrefixes(labels)),
		NUMBERS: writeTree(treeOfNumbers(plans)),
		PREFIXES: prefixes.join(';').replaceAll('\\', '~'),
	};
	const written = Object.entries(parts).map(([name, text]) => {
		const packed = pack(text);
		return `export const ${name} = {\n\tpairs: '${packed.pairs}',\n\ttext: '${packed.text}',\n};\n`;
	});
	return `${HEADER}\n${written.join('\n')}`;
}

const HEADER = `/*
 * Made by \`npm run zones\` from libphonenumber ${VERSION} of ${DATE}: resources/timezones/map_data.txt and
 * resources/PhoneNumberMetadata.xml, in another form. Do not edit it.
 *
 * Copyright (C) The Libphonenumber Authors. Licensed under the Apache License, Version 2.0, a copy of which is in
 * NOTICE.md of this package. Unless required by applicable law or agreed to in writing, software distributed
 * under the License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or
 * implied. See the License for the specific language governing permissions and limitations under the License.
 */
`;

/** Two letters for a zone. */
const codeOf = (index: number): string =>
	String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26));

/** True if all numbers of a calling code have the same zones. */
const hasOneAnswer = (
	{ callingCode }: NumberPlan,
	labels: ReadonlyMap<string, string>,
): boolean => {
	const own = [...labels].filter(([prefix]) => prefix.startsWith(callingCode));
	return new Set(own.map(([, label]) => label)).size === 1;
};

const asOfCountry = ({ ofArea, ofCountry }: NumberPlan) => ({
	ofArea: NOTHING,
	ofCountry: or(ofArea, ofCountry),
});

if (require.main === module) writeFileSync(FILE, zoneData());
