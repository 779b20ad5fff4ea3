// Lints the sources, and an unpacked archive, as n8n's scanner does before a community node is accepted. Its own process
// and an ES module, because the scanner is one. Prints a report as JSON.
import path from 'node:path';
import { ESLint } from 'eslint';
import {
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const root = path.dirname(import.meta.dirname);
const [archive] = process.argv.slice(2);
const scanConfig = await buildScanConfig();

const scannerIn = (cwd) =>
	new ESLint({
		cwd,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: scanConfig,
	});

/** The files that were linted, and every error and warning. */
async function scan(folder, patterns) {
	const results = await scannerIn(folder).lintFiles(patterns);
	const named = results.map(({ filePath, messages }) => ({
		file: path.relative(folder, filePath),
		messages,
	}));
	return {
		files: named.map(({ file }) => file),
		problems: named.flatMap(({ file, messages }) =>
			messages.map(({ line, ruleId, message }) => `${file}:${line} ${ruleId}: ${message}`),
		),
	};
}

const severityOf = (rule) => [rule].flat()[0] ?? 0;

/** The rules that are weaker in our own configuration than in the scanner's, by file. */
async function weakerRules(files) {
	const [ours, theirs] = [new ESLint({ cwd: root }), scannerIn(root)];
	const weaker = await Promise.all(
		files.map(async (file) => {
			const [own, wanted] = await Promise.all(
				[ours, theirs].map((eslint) => eslint.calculateConfigForFile(path.join(root, file))),
			);
			return Object.entries(wanted.rules)
				.filter(([name, rule]) => severityOf(own?.rules?.[name]) < severityOf(rule))
				.map(([name]) => `${file}: ${name}`);
		}),
	);
	return weaker.flat();
}

const sources = await scan(root, SOURCE_FILE_PATTERNS);
console.log(
	JSON.stringify({
		sources,
		archive: await scan(archive, ['**/*.js', '**/*.json']),
		weaker: await weakerRules(sources.files),
	}),
);
