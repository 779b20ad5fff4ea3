// Stops a release whose tag is not its version, or whose package still names no publisher (docs/publishing.md).
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: repository } = process.env;

const problems = [
	tag !== `v${manifest.version}` && `the tag ${tag} is not v${manifest.version}`,
	manifest.repository.url !== `git+https://github.com/${repository}.git` &&
		`"repository" is ${manifest.repository.url}, but this is ${repository}`,
	manifest.author.email.endsWith('.example') && `"author" is still ${manifest.author.email}`,
].filter(Boolean);

if (problems.length > 0) {
	console.error(`docs/publishing.md says what to set:\n- ${problems.join('\n- ')}`);
	process.exitCode = 1;
}
