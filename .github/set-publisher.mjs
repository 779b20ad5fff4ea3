// Sets the lines that name the publisher (docs/contributing/releasing.md), in the repository or in a copy of it:
// node .github/set-publisher.mjs <folder> <owner>/<repository> <name> <email>
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { problemsOf, withPublisher } from './publisher-lines.mjs';

const [folder = '.', repository = '', name = '', email = ''] = process.argv.slice(2);
const publisher = { repository, name, email };
const problems = problemsOf(publisher);

if (problems.length > 0) {
	console.error(
		`node .github/set-publisher.mjs <folder> <owner>/<repository> <name> <email>\n- ${problems.join('\n- ')}`,
	);
	process.exitCode = 1;
} else {
	for (const [file, text] of withPublisher(folder, publisher)) {
		writeFileSync(path.join(folder, file), text);
	}
}
