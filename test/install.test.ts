import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const INSTALL = pathToFileURL(path.join(__dirname, '..', 'playground', 'install.mjs')).href;

type Packages = Record<string, { version: string; integrity: string; optional?: boolean }>;

const ONE = { 'node_modules/one': { version: '1.0.0', integrity: 'sha512-one' } };
const OTHER = { 'node_modules/other': { version: '1.0.0', integrity: 'sha512-other' } };
const FOR_OTHER_PLATFORM = {
	'node_modules/native': { version: '1.0.0', integrity: 'sha512-native', optional: true },
};

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'install-'));
	mkdirSync(path.join(folder, 'node_modules'));
});

afterEach(() => {
	rmSync(folder, { recursive: true });
});

/** What the project's own installer says about a folder with this lockfile and this record of npm. */
function isInstalled(wanted: Packages, installed?: Packages): boolean {
	const write = (file: string, packages: object) => {
		writeFileSync(path.join(folder, file), JSON.stringify({ lockfileVersion: 3, packages }));
	};
	write('package-lock.json', { '': { name: 'project' }, ...wanted });
	if (installed) write('node_modules/.package-lock.json', installed);
	const script = `import { isInstalled } from '${INSTALL}'; console.log(isInstalled(process.argv[1]));`;
	const said = execFileSync(process.execPath, ['--input-type=module', '-e', script, folder]);
	return said.toString().trim() === 'true';
}

it.each<[string, boolean, Packages, Packages | undefined]>([
	['npm has put in place what the lockfile says', true, ONE, ONE],
	['an optional package is for another platform', true, { ...ONE, ...FOR_OTHER_PLATFORM }, ONE],
	['nothing was installed to its end', false, ONE, undefined],
	['a package is missing', false, { ...ONE, ...OTHER }, ONE],
	['a package is too many', false, ONE, { ...ONE, ...OTHER }],
	[
		'a package has another version',
		false,
		ONE,
		{ 'node_modules/one': { version: '1.0.1', integrity: 'sha512-one' } },
	],
	[
		'a package has other content',
		false,
		ONE,
		{ 'node_modules/one': { version: '1.0.0', integrity: 'sha512-other' } },
	],
])('is installed or not when %s: %s', (_case, expected, wanted, installed) => {
	expect(isInstalled(wanted, installed)).toBe(expected);
});
