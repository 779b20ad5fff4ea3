import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Locked {
	dependencies?: Record<string, string>;
	optionalDependencies?: Record<string, string>;
}

const ROOT = path.join(__dirname, '..');
const VERSIONS = path.join('playground', 'versions');
const FOLDERS = [
	'.',
	...readdirSync(path.join(ROOT, VERSIONS)).map((name) => path.join(VERSIONS, name)),
];

function packagesIn(folder: string): Record<string, Locked> {
	const text = readFileSync(path.join(ROOT, folder, 'package-lock.json'), 'utf8');
	return (JSON.parse(text) as { packages: Record<string, Locked> }).packages;
}

/** The places where Node looks for a dependency of the package in this place, the nearest first. */
function placesOf(dependency: string, place: string): string[] {
	const own = `${place === '' ? '' : `${place}/`}node_modules/${dependency}`;
	if (place === '') return [own];
	const above = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1));
	return [own, ...placesOf(dependency, above)];
}

it.each(FOLDERS)(
	'"npm ci" finds a package for every dependency in the lockfile of %s',
	(folder) => {
		const packages = packagesIn(folder);
		const missing = Object.entries(packages).flatMap(
			([place, { dependencies, optionalDependencies }]) =>
				Object.keys({ ...dependencies, ...optionalDependencies })
					.filter((name) => !placesOf(name, place).some((one) => one in packages))
					.map((name) => `${name} of ${place}`),
		);
		expect(missing).toEqual([]);
	},
);
