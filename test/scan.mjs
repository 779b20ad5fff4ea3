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

/** The files that were linted, and every error and warning. */
async function scan(folder, patterns) {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: scanConfig,
	});
	const results = await eslint.lintFiles(patterns);
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

console.log(
	JSON.stringify({
		sources: await scan(root, SOURCE_FILE_PATTERNS),
		archive: await scan(archive, ['**/*.js', '**/*.json']),
	}),
);
