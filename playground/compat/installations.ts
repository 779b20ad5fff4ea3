import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { compareVersions } from './document';

/** An n8n of some version, installed in a folder of its own. */
export interface Installation {
	version: string;
	folder: string;
}

const VERSIONS = path.join(__dirname, '..', 'versions');

const manifest = z.object({ dependencies: z.object({ n8n: z.string() }) });

function installationIn(folder: string): Installation {
	const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
	return { version: manifest.parse(JSON.parse(text)).dependencies.n8n, folder };
}

/** Every n8n that this project installs, oldest first. */
export function installations(): Installation[] {
	return readdirSync(VERSIONS)
		.map((name) => installationIn(path.join(VERSIONS, name)))
		.sort((one, other) => compareVersions(one.version, other.version));
}
