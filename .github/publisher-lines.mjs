// The lines that name the publisher (docs/contributing/releasing.md): what each has to say, in which files.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Who publishes the package: `repository` is "owner/name" on GitHub, `name` and `email` are the author's.
 *
 * @typedef {{ repository: string, name: string, email: string }} Publisher
 */

const addressOf = ({ repository }) => `https://github.com/${repository}`;
const pageOf = (publisher, page) => `${addressOf(publisher)}/blob/HEAD/docs/${page}.md`;
const PACKAGE = 'n8n-nodes-assistant-service';

/** Stands in for the author until the lines are set. */
const NOBODY = 'Assistant Service node maintainers';

const documentation = (file) => ({
	file,
	line: 'documentationUrl',
	// n8n's scanner asks for one: until a release sets it, it leads to n8n's general page.
	pattern: /^(\tdocumentationUrl = ')[^']*(?=';$)/gm,
	set: (publisher, [, before]) => `${before}${pageOf(publisher, 'credential')}`,
});

const codex = (file) => ({
	file,
	line: 'url, twice',
	pattern: /^(\t*"url": ")[^"]*(?="$)/gm,
	times: 2,
	set: (publisher, [, before]) => `${before}${addressOf(publisher)}#readme`,
});

const notice = (file) => ({
	file,
	line: 'HOW',
	pattern: /^(const HOW =)\s+'.*(?=';$)/gm,
	set: (publisher, [, before]) =>
		`${before}\n\t'<a href="${pageOf(publisher, 'receive-call-results')}" target="_blank">How to connect and try it</a>`,
});

/** Where a page says how to get the repository. */
const clone = (file) => ({
	file,
	line: 'git clone',
	pattern: /^(git clone) \S+/gm,
	set: (publisher, [, command]) => `${command} ${addressOf(publisher)}.git`,
});

/** The Dockerfile, and the page that shows it. */
const installation = (file) => ({
	file,
	line: 'npm install',
	pattern: new RegExp(
		`^(?:# The archive.*\\n)?(?:COPY .*\\.tgz \\.\\n)?(RUN npm install .*) (?:\\./)?${PACKAGE}[-@](\\d[\\w.-]*?)(?:\\.tgz)?$`,
		'gm',
	),
	set: (_, [, command, version]) => `${command} ${PACKAGE}@${version}`,
});

/** Each has to be there `times` times, or once; `set` gets what the pattern matched. */
export const LINES = [
	{
		file: 'package.json',
		line: 'author',
		pattern: /^(\t"author": \{\n\t\t"name": )".*"(,\n\t\t"email": )".*"$/gm,
		set: ({ name, email }, [, before, between]) =>
			before + JSON.stringify(name) + between + JSON.stringify(email),
	},
	{
		file: 'package.json',
		line: 'homepage, repository, bugs',
		pattern: /^(.*")(?:git\+)?https:\/\/github\.com\/[^/]+\/[^/]+?(#readme|\.git|\/issues)"/gm,
		times: 3,
		set: (publisher, [, before, end]) =>
			`${before}${end === '.git' ? 'git+' : ''}${addressOf(publisher)}${end}"`,
	},
	{
		file: 'package.json',
		line: 'files',
		// The pages and pictures are in the repository, to which npm links.
		pattern: /^\t"files": \[[^\]]*\]/gm,
		set: () => '\t"files": [\n\t\t"dist",\n\t\t"NOTICE.md"\n\t]',
	},
	{
		file: 'LICENSE.md',
		line: 'Copyright',
		pattern: /^(Copyright \(c\) \d{4}) .+$/gm,
		set: ({ name }, [, before]) => `${before} ${name}`,
	},
	documentation('credentials/AssistantServiceApi.credentials.ts'),
	codex('nodes/AssistantService/AssistantService.node.json'),
	codex('nodes/AssistantServiceTrigger/AssistantServiceTrigger.node.json'),
	notice('nodes/AssistantServiceTrigger/panel.ts'),
	{
		file: 'README.md',
		line: 'Not released yet',
		pattern: /^(?:\*\*Not released yet\.\*\* )?(It runs only on an n8n that you host)/gm,
		set: (_, [, line]) => line,
	},
	clone('README.md'),
	clone('docs/playground.md'),
	{
		file: 'README.md',
		line: 'Install',
		pattern: /^(## Install\n\n).*(?= You need n8n 2\.15)/gm,
		set: (_, [, heading]) =>
			`${heading}In n8n, open **Settings → Community nodes → Install** and enter \`${PACKAGE}\`. [More](docs/install.md).`,
	},
	{
		file: 'docs/install.md',
		line: 'Install the package',
		pattern: /^(## Install the package\n\n)[^]*?(?=^## Check that it worked)/gm,
		set: (_, [, heading]) =>
			`${heading}In n8n, open **Settings → Community nodes → Install** and enter \`${PACKAGE}\`.\n\n`,
	},
	installation('examples/queue-mode/Dockerfile'),
	installation('docs/queue-mode.md'),
];

/** A file with one of the lines set, or `undefined` if it does not have this line as often as it should. */
function withLine(text, { pattern, times = 1, set }, publisher) {
	let found = 0;
	const changed = text.replace(pattern, (...match) => {
		found += 1;
		return set(publisher, match);
	});
	return found === times ? changed : undefined;
}

const textOf = (folder, file) => readFileSync(path.join(folder, file), 'utf8');

/**
 * The files of a folder as they are with all lines set.
 *
 * @param {string} folder a copy of the repository, or the repository itself
 * @param {Publisher} publisher
 * @returns {Map<string, string>} the texts by the paths of the files
 * @throws Error if a file does not have one of its lines
 */
export function withPublisher(folder, publisher) {
	const files = new Map();
	for (const line of LINES) {
		const changed = withLine(files.get(line.file) ?? textOf(folder, line.file), line, publisher);
		if (changed === undefined) throw new Error(`${line.file} has no line "${line.line}" to set`);
		files.set(line.file, changed);
	}
	return files;
}

/**
 * The lines of a folder that do not say what they have to say, as "file: line".
 *
 * @param {string} folder
 * @param {Publisher} publisher
 * @returns {string[]}
 */
export function unsetLines(folder, publisher) {
	return LINES.filter((line) => {
		const text = textOf(folder, line.file);
		return withLine(text, line, publisher) !== text;
	}).map(({ file, line }) => `${file}: ${line}`);
}

/**
 * What is wrong with a publisher, as sentences; none if nothing is.
 *
 * @param {Publisher} publisher
 * @returns {string[]}
 */
export const problemsOf = ({ repository, name, email }) =>
	[
		// The name of an account has no underscore: "owner_not_set" is none.
		!/^[A-Za-z\d-]+\/[\w.-]+$/.test(repository) && `"${repository}" is not owner/name on GitHub`,
		!/^\S.*\S$/.test(name) && `"${name}" is not the name of an author`,
		name === NOBODY && `"${name}" is nobody's name`,
		!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && `"${email}" is not an e-mail address`,
		email.endsWith('.example') && `${email} is nobody's address`,
	].filter(Boolean);
