import { spawnSync } from 'node:child_process';
import path from 'node:path';

const playground = path.resolve(__dirname, '..', 'playground');

test('the tests of the queue mode say at once, in one line, which servers are missing', () => {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[path.join(playground, 'start.mjs'), '--test-queue'],
		{ env: { PATH: __dirname }, encoding: 'utf8', timeout: 10_000 },
	);

	expect([status, stdout]).toEqual([1, '']);
	expect(stderr.trim()).toMatch(
		/^not installed: (?:postgresql, )?redis-server, caddy\. Install them with "sudo apt-get install postgresql redis-server caddy", then start again$/,
	);
});
