import { hold } from '../simulator/hold';
import { until } from '../until';
import { waits } from '../../nodes/shared/waiting/waitForCalls';
import { ada, bob, CONTINUE, eve } from './contacts';
import { runFromStart } from './engine';
import { useFastClock } from './fastClock';
import { useWaits } from './waits';
import { calledOnce } from './world';

useFastClock();
const { add, begin, retry, waitFor, startTrigger, callId, edit, end, rows, simulator, reached } =
	useWaits();

const refuseOnce = (toNumber: string): void => {
	simulator().addFault({ kind: 'status', status: 400, times: 1, toNumber });
};

/** Begins an execution that waits for these calls, and of which nothing is left but the rows of the book. */
async function die(people: { to: string }[], token: string) {
	const execution = await begin(waitFor(people), token);
	for (const timer of waits.values()) timer.abort();
	waits.clear();
	execution.status = 'crashed';
	return execution;
}

const once = calledOnce([ada, bob]);

describe('a retry waits for all that any try has called', () => {
	test.each(['placeAndWait', 'place'])('after a run of %s has stopped', async (operation) => {
		const trigger = await startTrigger();
		refuseOnce(bob.to);
		const failed = await begin(waitFor([ada, bob], { operation }));
		expect(failed.status).toBe('error');

		const execution = await retry(failed, waitFor([ada, bob]));
		expect(execution.status).toBe('waiting');
		await trigger.post({ callId: callId(2), summary: 'Bob' });
		await trigger.post({ callId: callId(0), summary: 'Ada' });

		expect(await execution.ended()).toMatchObject([
			{ ended: true, summary: 'Ada' },
			{ ended: true, summary: 'Bob' },
		]);
		const { resumeUrl } = execution;
		expect(rows()).toMatchObject([{ resumeUrl }, { outcome: 'notMade' }, { resumeUrl }]);
		expect(reached()).toEqual(once);
	});

	test('also for those whose rows were deleted from the list', async () => {
		const token = 'deleted';
		await die([ada, bob], token);
		const execution = await begin({ ...waitFor([bob]), mode: 'retry' }, token);
		end(1, 'Bob');
		expect(await execution.post()).toMatchObject({ data: { resumed: false } });
		end(0, 'Ada');
		await execution.post();

		expect(await execution.ended()).toMatchObject([{ toNumber: bob.to, summary: 'Bob' }]);
	});

	test('and not at all if all have ended in the meantime', async () => {
		const token = 'ended';
		const trigger = await startTrigger();
		await die([ada], token);
		await trigger.post({ callId: callId(0), summary: 'Ada' });

		const execution = await begin({ ...waitFor([ada]), mode: 'retry' }, token);

		expect(execution.status).toBe('success');
		expect(execution.outputs).toMatchObject([{ ended: true, summary: 'Ada' }]);
		expect(reached()).toEqual({ [ada.to]: 1 });
	});

	test('after n8n was killed while it placed calls', async () => {
		const token = 'killed while placing';
		const trigger = await startTrigger();
		const first = await die([ada, bob], token);
		edit(1, { outcome: 'claimed', contactId: null });

		const execution = await begin(
			{ ...waitFor([ada, bob, eve], {}, CONTINUE), mode: 'retry' },
			token,
		);
		expect(execution.outputs).toMatchObject([
			{ callId: callId(0), msg: null, ended: null },
			{ details: { outcome: 'unknown' } },
			{ result: 'placed', ended: null },
		]);
		await trigger.post({ callId: callId(2), summary: 'Eve' });
		expect(execution.status).toBe('waiting');
		await trigger.post({ callId: callId(0), summary: 'Ada' });

		expect(await execution.ended()).toMatchObject([
			{ toNumber: ada.to, ended: true, summary: 'Ada' },
			{ details: { outcome: 'unknown' } },
			{ toNumber: eve.to, ended: true, summary: 'Eve' },
		]);
		expect(first.resumed).toBe(0);
		expect(reached()).toEqual({ ...once, [eve.to]: 1 });
	});
});

test.each([
	['a call', { operation: 'call.place', endedAt: '2025-01-01T10:00:00Z', summary: 'Old' }],
	['a call of which no end came', { operation: 'call.place' }],
	['a message', { operation: 'sms.start' }],
])('a retry waits for its call, and not for %s that had the same ID before', async (_, row) => {
	const token = `the ID of ${JSON.stringify(row)}`;
	add({ phone: eve.to, outcome: 'accepted', ...row });
	const trigger = await startTrigger();
	await die([ada], token);
	edit(0, { contactId: callId(1) });

	const execution = await begin({ ...waitFor([ada]), mode: 'retry' }, token);
	expect(execution.status).toBe('waiting');
	await trigger.post({ callId: callId(1), summary: 'Ada' });

	expect(await execution.ended()).toMatchObject([{ ended: true, summary: 'Ada' }]);
});

test('two nodes of an execution wait each for its own calls', async () => {
	const token = 'two nodes';
	const first = await begin(waitFor([ada]), token);
	await runFromStart({ ...waitFor([bob]), nodeId: 'another node' }, token);
	const [one, other] = rows().map(({ wait }) => wait);

	expect(one).not.toBe(other);
	edit(0, { endedAt: new Date().toISOString() });
	await first.post();
	await until(() => first.status === 'success');
	expect(first.outputs).toMatchObject([{ ended: true }]);
});

test.each([
	['credential', {}, { mode: 'checkOnly' }],
	['option', { options: { checkOnly: true } }, {}],
])('a retry that only checks by its %s neither waits nor writes', async (...of) => {
	const [token, parameters, credential] = of;
	await begin(waitFor([ada]), token);
	const before = rows();
	const checks = waitFor([{ to: '0151' }], parameters, { ...CONTINUE, credential });

	const execution = await begin({ ...checks, mode: 'retry' }, token);

	expect(execution.status).toBe('success');
	expect(rows()).toEqual(before);
});

test('a second retry at the same moment leaves the wait to the first', async () => {
	const trigger = await startTrigger();
	refuseOnce(bob.to);
	const failed = await begin(waitFor([ada, bob]));
	const { until: held, release } = hold();
	simulator().addFault({ kind: 'delay', until: held, toNumber: bob.to });
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
