import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isMap, isScalar, parseDocument } from 'yaml';

const FOLDER = path.join(__dirname, '..', 'examples', 'queue-mode');
const COMPOSE = 'compose.yaml';

/** The files in the order in which they are shown, with the language that colours them. */
const FILES = [
	[COMPOSE, 'yaml'],
	['Dockerfile', 'dockerfile'],
	['Caddyfile', ''],
] as const;

const read = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8').trim();

/** The files of the setup, and what each setting of n8n in it is for, as Markdown. */
export function queueModeSetup(): string {
	const files = FILES.map(
		([file, language]) => `**\`${file}\`**\n\n\`\`\`${language}\n${read(file)}\n\`\`\``,
	);
	return [...files, settingsTable()].join('\n\n');
}

/** Made from the comments of the compose file; one comment may stand before several settings. */
function settingsTable(): string {
	const settings = parseDocument(read(COMPOSE)).getIn(['x-n8n', 'environment']);
	if (!isMap(settings)) throw new Error(`${COMPOSE} has no settings of n8n`);
	let comment = settings.commentBefore;
	const rows = settings.items.map(({ key, value }) => {
		if (!isScalar(key) || !isScalar(value)) throw new Error('A setting is a name and a text');
		comment = key.commentBefore ?? comment;
		return `| \`${String(key.value)}\` | \`${String(value.value)}\` | ${comment?.trim() ?? ''} |`;
	});
	return ['| Setting | Value | What for |', '| --- | --- | --- |', ...rows].join('\n');
}
