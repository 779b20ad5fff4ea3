import type { IDataObject } from 'n8n-workflow';

import { schemaFlaws } from './schema';

const text = { type: 'string' } as const;
const schema = {
	type: 'object',
	properties: { callId: text, status: { type: ['string', 'null'] } },
	version: 1,
} as const satisfies Parameters<typeof schemaFlaws>[0];

const item = { callId: 'c', status: null };

test.each<[what: string, more: object, item: IDataObject, flaws: string[]]>([
	['as the schema says', {}, item, []],
	['with a property beyond the schema, which an option adds', {}, { ...item, more: 'x' }, []],
	['without a column that only a reference or a rule adds', { reference: text }, item, []],
	['of another type', {}, { ...item, callId: 7 }, ['.callId should be string']],
	['without a property', {}, { status: 'placed' }, ['callId: the main row must show']],
	[
		'with a property that is null in the main row',
		{ summary: { type: 'null' } },
		{ ...item, summary: 'x' },
		['summary: the main row must show'],
	],
])('an item %s', (_, more, one, flaws) => {
	const of = { ...schema, properties: { ...schema.properties, ...more } };

	expect(schemaFlaws(of, one)).toEqual(
		flaws.map((flaw) => expect.stringContaining(flaw) as unknown),
	);
});
