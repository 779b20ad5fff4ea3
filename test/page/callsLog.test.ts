import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCallsLog } from '../../playground/callsLog';
import { useSimulator } from '../engine/world';
import { changed, clientOf } from '../simulator/testClient';

const simulator = useSimulator();

it('adds the calls to a file when the service is stopped, also by force', async () => {
	const file = path.join(mkdtempSync(path.join(tmpdir(), 'calls-')), 'calls.log');
	const log = createCallsLog(simulator(), file);
	await clientOf(simulator())(changed('placeCall', { toNumber: '+4915100000002' }));
	const [call] = simulator().state().calls;

	await log.stop();
	await log.kill();

	const line = `${new Date(call?.startedAt ?? 0).toISOString()} +4915100000002 ${call?.id}\n`;
	expect(readFileSync(file, 'utf8')).toBe(line + line);
});
