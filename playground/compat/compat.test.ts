import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { CHECKS } from './checks';
import { compatibilityPage } from './document';
import { installations } from './installations';
import { openWorld, type CompatWorld } from './world';

const PAGE = path.join(__dirname, '..', '..', 'docs', 'compatibility.md');

const all = installations().map((installation) => ({
	...installation,
	passed: new Map<string, boolean>(),
}));

describe.each(all)('n8n $version', ({ passed, ...installation }) => {
	let opening: Promise<CompatWorld>;

	beforeAll(async () => {
		opening = openWorld(installation);
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
