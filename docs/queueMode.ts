import { readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(__dirname, '..', 'examples', 'queue-mode');

/** The files in the order in which they are shown, with the language that colours them. */
const FILES = [
	['compose.yaml', 'yaml'],
	['Dockerfile', 'dockerfile'],
	['Caddyfile', ''],
] as const;

const read = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8').trim();

/** The files of the setup, as Markdown; their comments say what each setting is for. */
export function queueModeSetup(): string {
	const files = FILES.map(
		([file, language]) => `**\`${file}\`**\n\n\`\`\`${language}\n${read(file)}\n\`\`\``,
	);
	return files.join('\n\n');
}
