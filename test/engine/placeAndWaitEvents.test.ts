import { sleep } from 'n8n-workflow';

import { resumes } from '../../nodes/shared/waiting/resume';
import { until } from '../until';
import { hold } from '../simulator/hold';
import { ada, bob, eve } from './contacts';
import { useFastClock } from './fastClock';
import { endPause, PAUSES } from './pauses';
import { useWaits } from './waits';

useFastClock();
const { begin, waitFor, startTrigger, callId, edit, end, rows, simulator, tables, table } =
	useWaits();

const REPEAT = { status: 200, data: { repeat: true } };

/** Lets the call of the last one be under way until it is released. */
function holdCallOf(to: string): () => void {
	const { until: held, release } = hold();
	simulator().addFault({ kind: 'delay', until: held, toNumber: to });
	return release;
}

/** Lets six minutes pass, and waits for the log. */
async function untilLogged({ log }: { log: readonly unknown[] }): Promise<void> {
	const now = performance.now.bind(performance);
	const later = jest.spyOn(performance, 'now').mockImplementation(() => now() + 6 * 60_000);
	await until(() => log.length > 0);
	later.mockRestore();
}

describe('events', () => {
	test('at once, twice and in another order resume it once', async () => {
		const trigger = await startTrigger();
		const execution = await begin(waitFor([ada, bob, eve]));
		const ids = [2, 0, 1, 1, 2, 0].map(callId);

		await Promise.all(ids.map(async (id) => await trigger.post({ callId: id, summary: id })));

		expect(await execution.ended()).toMatchObject(
			[0, 1, 2].map((row) => ({ ended: true, summary: callId(row) })),
		);
		expect(execution.resumed).toBe(1);
		expect(trigger.executions).toHaveLength(3);
		expect(trigger.log).toEqual([]);
	});

	test('before the last call is placed resume it when that one has ended, too', async () => {
		const trigger = await startTrigger();
		const release = holdCallOf(bob.to);
		const running = begin(waitFor([ada, bob]));
		await until(() => rows()[0]?.outcome === 'accepted');

		await trigger.post({ callId: callId(0), summary: 'Ada' });
		release();
		const execution = await running;
		expect(execution.status).toBe('waiting');
		await trigger.post({ callId: callId(1), summary: 'Bob' });

		expect(await execution.ended()).toMatchObject([{ summary: 'Ada' }, { summary: 'Bob' }]);
		expect(execution.resumed).toBe(1);
	});

	test('while n8n puts it to wait resume it when it waits', async () => {
		const trigger = await startTrigger();
		let isPosted = false;
		tables().holdAt((moment, { method, query }) => {
			// After its look at the rows.
			if (isPosted || moment !== 'answer' || method !== 'GET' || !query.includes('wait'))
				return undefined;
			isPosted = true;
			return trigger.post({ callId: callId(0), summary: 'Ada' });
		});
		const execution = await begin(waitFor([ada]));

		expect(execution.status).toBe('waiting');
		expect(await execution.ended()).toMatchObject([{ ended: true, summary: 'Ada' }]);
	});

	test('after the time is over are in the book, and change nothing else', async () => {
		const trigger = await startTrigger();
		const execution = await begin(waitFor([ada], { waitAtMost: 0.001 }));
		await execution.ended();

		await trigger.post({ callId: callId(0), summary: 'Late' });
		await until(() => rows()[0]?.summary === 'Late');
		const answer = await execution.post();

		expect(answer.status).toBe(409);
		expect(execution.outputs).toMatchObject([{ ended: false, summary: null }]);
		expect(execution.resumed).toBe(1);
		expect(trigger.log).toEqual([]);
	});

	test('resume it when n8n has answered them, which may be late', async () => {
		const { until: held, release } = hold();
		const canStart = async () => await held.then(() => true);
		const trigger = await startTrigger({}, {}, { canStart });
		const execution = await begin(waitFor([ada]));
		const posted = trigger.post({ callId: callId(0), summary: 'Bye' });
		await until(() => rows()[0]?.summary === 'Bye');
		await sleep(1_000);
		expect(execution.status).toBe('waiting');
		release();

		expect((await posted).status).toBe(200);
		expect(await execution.ended()).toMatchObject([{ ended: true, summary: 'Bye' }]);
	});

	test('for a call whose row comes late resume it, and start no execution', async () => {
		const trigger = await startTrigger();
		const execution = await begin(waitFor([ada]));
		const id = callId(0);
		edit(0, { contactId: null });
		await trigger.post({ callId: id, summary: 'Bye' });
		edit(0, { contactId: id });
		await endPause(PAUSES[0]);

		expect(await execution.ended()).toMatchObject([{ ended: true, summary: 'Bye' }]);
		expect(trigger.executions).toHaveLength(1);
		expect(trigger.log).toEqual([]);
	});

	test('that come again complete the row once and resume, and start no execution', async () => {
		const trigger = await startTrigger();
		const execution = await begin(waitFor([ada]));
		const event = { callId: callId(0), summary: 'Bye' };
		const failure = { when: ({ method }: { method: string }) => method === 'PATCH' };
		tables().fail({ ...failure, answer: { status: 500 } });
		await trigger.post(event);
		expect(rows()[0]?.endedAt).toBeNull();
		tables().clearFaults();

		expect(await trigger.post(event)).toMatchObject(REPEAT);

		expect(await execution.ended()).toMatchObject([{ ended: true, summary: 'Bye' }]);
		expect(trigger.executions).toHaveLength(1);
	});
});

describe('a POST to the resume address', () => {
	test('that is forged changes nothing', async () => {
		const execution = await begin(waitFor([ada, bob]));
		end(0, 'Bye');

		const answers = await Promise.all([execution.post(), execution.post()]);

		expect(answers).toEqual(Array(2).fill({ status: 200, data: { resumed: false } }));
		expect(execution.status).toBe('waiting');
		expect(execution.resumed).toBe(0);
	});

	test('goes by the rows that are there: one that was deleted is not known', async () => {
		const execution = await begin(waitFor([ada, bob]));
		const [, second] = rows();
		table().delete(Number(second?.id));
		end(0, 'Bye');
		await execution.post();

		expect(await execution.ended()).toMatchObject([
			{ ended: true, summary: 'Bye' },
			{ toNumber: bob.to, ended: null, summary: null },
		]);
	});

	test('leaves it waiting while the book cannot be read, and the event tries again', async () => {
		const trigger = await startTrigger();
		const execution = await begin(waitFor([ada]));
		let looks = 0;
		tables().fail({
			answer: { status: 500 },
			when: ({ method, query }) =>
				method === 'GET' && query.includes('wait') && !query.includes('outcome') && ++looks < 5,
		});

		await trigger.post({ callId: callId(0), summary: 'Bye' });

		expect(await execution.ended()).toMatchObject([{ ended: true, summary: 'Bye' }]);
		expect(looks).toBeGreaterThan(4);
	});

	test.each([
		['a page', { status: 200, body: '<html>Sign in</html>' }],
		['JSON of another', { status: 200, body: { message: 'ok' } }],
		['a refusal of a proxy', { status: 403, body: '<html>Forbidden</html>' }],
		// n8n-io/n8n#33643, n8n-io/n8n#27078.
		['n8n that cannot start it', { status: 500, body: { code: 0, message: 'Not started' } }],
	])('that %s answers is sent again', async (_, answer) => {
		const trigger = await startTrigger();
		const execution = await begin(waitFor([ada]));
		execution.foreignAnswers = [answer, answer];
		await trigger.post({ callId: callId(0), summary: 'Bye' });

		expect(await execution.ended()).toMatchObject([{ ended: true, summary: 'Bye' }]);
		expect(trigger.log).toEqual([]);
	});

	test('is given up after some minutes, with the address in the log, but for its token', async () => {
		const trigger = await startTrigger();
		const release = holdCallOf(bob.to);
		const running = begin(waitFor([ada, bob]));
		await until(() => rows()[0]?.outcome === 'accepted');
		await trigger.post({ callId: callId(0), summary: 'Ada' });
		await until(() => resumes.has(rows()[0]?.resumeUrl as string));
		await untilLogged(trigger);
		release();

		expect(trigger.log).toEqual([
			expect.stringMatching(
				/could not be resumed \(HTTP 409: .*\)\. .* POST request to .*: http:[^?]*webhook-waiting[^?]*$/,
			),
		]);
		// The node looks at the rows by itself.
		end(1, 'Bob');
		const execution = await running;
		await execution.post();
		expect(await execution.ended()).toMatchObject([{ summary: 'Ada' }, { summary: 'Bob' }]);
	});
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

	expect(trigger.log[0]).toMatch(/resumeUrl .* is no address of this n8n/);
});

test('a call whose ID is a number, or has blanks, gets its end', async () => {
	const trigger = await startTrigger();
	const body = { msg: 'ok', status: 'placed', callId: ' 4711 ' };
	simulator().addFault({ kind: 'respond', status: 201, body, times: 1 });
	const execution = await begin(waitFor([ada]));

	await trigger.post({ callId: 4711, summary: 'Bye' });

	expect(await execution.ended()).toMatchObject([{ ended: true, summary: 'Bye' }]);
});
