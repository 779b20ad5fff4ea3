import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { openOwnWorld, type OwnWorld } from '../e2e/ownWorld';
import { CHECKS } from './checks';
import { compareVersions, compatibilityPage } from './document';

/** A release that does not know one of the modules that are named here does not start. */
const SETTINGS = { N8N_DISABLED_MODULES: '' };

const PAGE = path.join(__dirname, '..', '..', 'docs', 'contributing', 'compatibility.md');

const VERSIONS = path.join(__dirname, '..', 'versions');
const manifest = z.object({ dependencies: z.object({ n8n: z.string() }) });

/** Every n8n that this project installs, each in a folder of its own, oldest first. */
const all = readdirSync(VERSIONS)
	.map((name) => {
		const folder = path.join(VERSIONS, name);
		const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
		const version = manifest.parse(JSON.parse(text)).dependencies.n8n;
		return { version, folder, passed: new Map<string, boolean>() };
	})
	.sort((one, other) => compareVersions(one.version, other.version));

describe.each(all)('n8n $version', ({ passed, folder }) => {
	let opening: Promise<OwnWorld>;

	beforeAll(async () => {
		// Below the folder of this n8n, because the package takes `n8n-workflow` and `zod` from the nearest folder above.
		const userFolder = path.join(folder, '.state', 'compat');
		opening = openOwnWorld(userFolder, { installation: folder, settings: SETTINGS });
		// An n8n that does not start fails its checks, and the page says so.
		await opening.catch(() => undefined);
	});

	afterAll(async () => {
		await opening.then(
			async ({ stop }) => stop(),
			() => undefined,
		);
	});

	it.each(CHECKS)('$title', async ({ title, run }) => {
		passed.set(title, false);
		const world = await opening;
		world.simulator.reset();
		await run(world);
		passed.set(title, true);
	});
});

afterAll(() => {
	const page = compatibilityPage(CHECKS, all);
	if (page !== undefined) writeFileSync(PAGE, page);
});
