// Stops a release that is not what its tag says, or in which a line that docs/contributing/releasing.md names is not set.
// Before there is a tag: node .github/check-release.mjs --before-tag
import { readFileSync } from 'node:fs';
import { problemsOf, unsetLines } from './publisher-lines.mjs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const { version, author } = manifest;
const [, own = ''] = /^git\+https:\/\/github\.com\/(.+)\.git$/.exec(manifest.repository.url) ?? [];
const { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: repository } = process.argv.includes(
	'--before-tag',
)
	? { GITHUB_REF_NAME: `v${version}`, GITHUB_REPOSITORY: own }
	: process.env;
const publisher = { repository: repository ?? '', name: author.name, email: author.email };

const hasLine = (file, line) =>
	readFileSync(file, 'utf8')
		.split('\n')
		.some((one) => line.test(one));
const escaped = version.replaceAll('.', '\\.');

const problems = [
	tag !== `v${version}` && `the tag ${tag} is not v${version}`,
	(lockfile.version !== version || lockfile.packages[''].version !== version) &&
		`package-lock.json is not of ${version}`,
	!hasLine('examples/queue-mode/Dockerfile', new RegExp(`[-@]${escaped}(?:\\.tgz)?$`)) &&
		`examples/queue-mode/Dockerfile does not install ${version}`,
	!hasLine('CHANGELOG.md', new RegExp(`^## ${escaped} - \\d{4}-\\d\\d-\\d\\d$`)) &&
		`CHANGELOG.md has no date for ${version}`,
	own !== repository && `"repository" is ${manifest.repository.url}, but this is ${repository}`,
	...problemsOf(publisher),
	...unsetLines('.', publisher).map((line) => `not set: ${line}`),
].filter(Boolean);

if (problems.length > 0) {
	console.error(`docs/contributing/releasing.md says what to set:\n- ${problems.join('\n- ')}`);
	process.exitCode = 1;
}
