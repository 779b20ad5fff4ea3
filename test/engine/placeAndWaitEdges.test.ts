import { sleep } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { waits } from '../../nodes/shared/waiting/waitForCalls';
import { hold } from '../simulator/hold';
import { until } from '../until';
import { ada, bob, CONTINUE } from './contacts';
import { dataFromStart, startNode } from './engine';
import { useFastClock } from './fastClock';
import { useWaits } from './waits';

useFastClock();
const { begin, retry, waitFor, startTrigger, callId, edit, rows, simulator } = useWaits();

test('an execution that is stopped while it calls does not wait', async () => {
	const { until: held, release } = hold();
	simulator().addFault({ kind: 'delay', until: held });
	const setup = waitFor([ada]);
	const running = startNode(setup, dataFromStart(setup, 'stopped'));
	await until(() => simulator().requests.length === 1);

	running.cancel();
	release();
	const { run } = await running.finished;
	await until(() => rows()[0]?.outcome === 'accepted');

	expect(run.data.waitTill).toBeUndefined();
	expect(waits.has(rows()[0]?.wait as string)).toBe(false);
});

test('a retry that only checks neither waits nor writes', async () => {
	const token = 'checks';
	await begin(waitFor([ada]), token);
	const before = rows();
	const checks = waitFor([{ to: '0151' }], {}, { ...CONTINUE, credential: { mode: 'checkOnly' } });

	const execution = await begin({ ...checks, mode: 'retry' }, token);

	expect(execution.status).toBe('success');
	expect(rows()).toEqual(before);
});

test.each([
	['of another server', (own: string) => own.replace('127.0.0.1', 'localhost')],
	['of something else in n8n', (own: string) => own.replace(/webhook-waiting.*/, 'rest/users')],
	['that leads out of them', (own: string) => own.replace('?', '/../../../webhook-waiting?')],
	['that is none', () => 'nonsense'],
])('a trigger sends nothing to a resumeUrl %s', async (_, change) => {
	const trigger = await startTrigger();
	const { resumeUrl } = await begin(waitFor([ada]));
	edit(0, { resumeUrl: change(resumeUrl) });

	await trigger.post({ callId: callId(0), summary: 'Bye' });

	expect(trigger.log[0]?.text).toMatch(/resumeUrl .* is no address of this n8n/);
});

test('of an execution that waits, the process keeps no data', async () => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const wait = async (people: { to: string }[]): Promise<WeakRef<object>> => {
		const setup = waitFor(people);
		const { run } = await startNode(setup, dataFromStart(setup, `token of ${people.length}`))
			.finished;
		return new WeakRef(run.data);
	};

	const first = await wait([ada]);
	await wait([ada, bob]);

	for (let looks = 0; looks < 50 && first.deref() !== undefined; looks++) {
		await sleep(100);
		collect();
	}
	expect(first.deref()).toBeUndefined();
	expect(waits.has(rows()[0]?.wait as string)).toBe(true);
});

test('a second retry at the same moment leaves the wait to the first', async () => {
	const trigger = await startTrigger();
	const when = ({ rawBody }: { rawBody: string }): boolean => rawBody.includes(bob.to);
	simulator().addFault({ kind: 'status', status: 400, times: 1, when });
	const failed = await begin(waitFor([ada, bob]));
	const { until: held, release } = hold();
	simulator().addFault({ kind: 'delay', until: held, when });
	const running = retry(failed);
	await until(() => simulator().requests.length === 3);

	const second = await retry(failed, waitFor([ada, bob], {}, CONTINUE));
	release();
	const first = await running;

	expect(second.status).toBe('success');
	expect(second.outputs).toMatchObject([{ ended: null }, { details: { kind: 'stopped' } }]);
	await trigger.post({ callId: callId(0), summary: 'Ada' });
	await trigger.post({ callId: callId(2), summary: 'Bob' });
	expect(await first.ended()).toMatchObject([{ summary: 'Ada' }, { summary: 'Bob' }]);
});

test('a call whose ID is a number, or has blanks, gets its end', async () => {
	const trigger = await startTrigger();
	const body = { msg: 'ok', status: 'placed', callId: ' 4711 ' };
	simulator().addFault({ kind: 'respond', status: 201, body, times: 1 });
	const execution = await begin(waitFor([ada]));

	await trigger.post({ callId: 4711, summary: 'Bye' });

	expect(await execution.ended()).toMatchObject([{ ended: true, summary: 'Bye' }]);
});
