import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { compareVersions } from './document';

/** An n8n of some version, installed in a folder of its own. */
export interface Installation {
	version: string;
	folder: string;
}

const PLAYGROUND = path.join(__dirname, '..');
const VERSIONS = path.join(PLAYGROUND, 'versions');

const manifest = z.object({ dependencies: z.object({ n8n: z.string() }) });

function installationIn(folder: string): Installation {
	const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
	return { version: manifest.parse(JSON.parse(text)).dependencies.n8n, folder };
}

/** Every n8n that this project installs, oldest first: those in `versions`, and the playground's own. */
export function installations(): Installation[] {
	const folders = readdirSync(VERSIONS).map((name) => path.join(VERSIONS, name));
	return [...folders, PLAYGROUND]
		.map(installationIn)
		.sort((one, other) => compareVersions(one.version, other.version));
}
