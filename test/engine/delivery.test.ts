import type { INodeParameters } from 'n8n-workflow';

import { hold } from '../simulator/hold';
import { recipientOf } from '../simulator/recipient';
import { until } from '../until';
import { CONTINUE, useContacts } from './contacts';
import { contextOf, type NodeSetup, retryRun, runNode, startNode } from './engine';
import { calledOnce, isFor, numbers, placeCall, recipient } from './world';

const { simulator, calls, outputs, reached } = useContacts({ hasStore: false });

const callsOf = (
	count: number,
	options: INodeParameters = {},
	more: Partial<NodeSetup> = {},
): NodeSetup => calls(numbers(count), {}, more, options);

const ONE_AT_A_TIME = { maxConcurrentRequests: 1 };

async function untilAsked(count: number): Promise<void> {
	await until(() => simulator().requests.length >= count);
}

/** The phone number that a confirmation names. */
const numberIn = (msg: unknown) => (typeof msg === 'string' ? /\+\d+/.exec(msg)?.[0] : undefined);

test('many items are sent in order and put out in order, each paired', async () => {
	const { items } = await runNode(callsOf(60));

	expect(simulator().requests.map(recipientOf)).toEqual(numbers(60).map(({ to }) => to));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		Array.from({ length: 60 }, (_, item) => ({ item })),
	);
	expect(items.map(({ json }) => numberIn(json.msg))).toEqual(numbers(60).map(({ to }) => to));
});

describe('a stop on error', () => {
	test('lets what is in flight end, sends no more, and says what became of all', async () => {
		simulator().addFault({ kind: 'status', status: 400, when: isFor(2), times: 1 });

		const { error, run } = await runNode(callsOf(20, ONE_AT_A_TIME));

		expect(error?.context.itemIndex).toBe(2);
		expect(error?.description).toMatch(
			/<br>Of 20 items: 2 placed, 1 refused, 17 not sent\.<br>Do not run the workflow again: what was accepted could be sent twice\. Correct the node or the credential, and retry this execution: .* a list of its own\. Where n8n offers no retry, .*\.$/,
		);
		expect(Object.keys(reached())).toEqual([recipient(0), recipient(1)]);
		expect(JSON.stringify(contextOf(run))).toContain('accepted');
	});

	const LOOK_UP = `Do not run the workflow again with all rows. Look up unknown ones at the service. With a contact book, set their "outcome" there to "accepted" if they were sent, else to "notMade". Did this execution fail, and are all settled so, or all named and none sent? Set "If Unsure Whether It Was Sent" to "Send Again" for one retry, without "Retry On Fail". Else, if it failed, choose "Do Not Send Again", set "On Error" to "Continue", and retry. Retry a sub-workflow's own execution, not its caller's. Then send rows that still fail, and were not sent, in a list of their own.`;
	const SENDS_AGAIN =
		'"If Unsure Whether It Was Sent" is "Send Again": a retry sends unknown items again.';

	test.each([
		['keepFailed', []],
		['sendAgain', [SENDS_AGAIN]],
	])('says what to do about an unknown item: %s', async (ifOutcomeUnknown, first) => {
		simulator().addFault({ kind: 'resetAfter', when: isFor(2), times: 1 });

		const { error } = await runNode(callsOf(3, { ifOutcomeUnknown }));

		expect(error?.description?.split('<br>')).toEqual([
			'Of 3 items: 2 placed, 1 unknown.',
			...first,
			`${recipient(2)} may have been called.`,
			LOOK_UP,
		]);
	});

	/** A run begins with ten requests at once, and sends no more after the first failure. */
	const loseAnswers = (asked: number): void => {
		simulator().addFault({ kind: 'resetAfter', until: untilAsked(asked), times: 10 });
	};

	test('names ten in all, first those who are gone from the list', async () => {
		loseAnswers(10);
		const failed = await runNode(callsOf(20));
		loseAnswers(20);
		const gone = numbers(7).map(({ to }) => to);
		const toNumber = "={{ $json.to.replace(/^\\+155500010(0[0-6])$/, '+49151000000$1') }}";

		const changed = callsOf(20, {}, { parameters: { ...placeCall, toNumber } });
		const { error } = await retryRun(failed.run, changed);

		const named = error?.description?.match(/\+\d{11,}/g);
		expect(named?.slice(0, gone.length)).toEqual(gone);
		expect(named).toHaveLength(10);
	});

	test('is continued by a retry of the failed execution, which calls nobody twice', async () => {
		simulator().addFault({ kind: 'status', status: 400, when: isFor(7), times: 1 });
		const failed = await runNode(callsOf(20));
		const earlier = Object.keys(reached()).length;

		const { items, error, hint, run } = await retryRun(failed.run, callsOf(20));

		expect(error).toBeUndefined();
		expect(hint?.message).toBe(
			`Of 20 items: 20 placed.<br>${earlier} of these were accepted in an earlier try, and not sent again.`,
		);
		expect(reached()).toEqual(calledOnce(numbers(20)));
		expect(items.map(({ json }) => numberIn(json.msg))).toEqual(numbers(20).map(({ to }) => to));
		expect(contextOf(run)).not.toHaveProperty('deliveries');
	});
});

test('a cancelled execution sends no more, and remembers what was in flight', async () => {
	const { until: released, release } = hold();
	simulator().addFault({ kind: 'delay', until: released, times: 5 });
	const execution = startNode(callsOf(40, { maxConcurrentRequests: 5 }));
	await untilAsked(5);

	execution.cancel();
	release();
	const { run } = await execution.finished;

	expect(run.status).toBe('canceled');
	expect(simulator().requests).toHaveLength(5);
	const { items } = await retryRun(run, callsOf(40));
	expect(Object.values(reached())).toEqual(Array(40).fill(1));
	expect(items).toHaveLength(40);
});

test('a hold is for all executions with the same key, and for no other key', async () => {
	// The longest hold that is kept for runs that begin later.
	simulator().addFault({ kind: 'rateLimited', retryAfter: '30', times: 1 });
	const call = callsOf(1, { maxWait: 1 });
	await runNode(call);

	const same = await runNode(call);
	const other = await runNode(callsOf(1, {}, { credential: { apiKey: 'another key' } }));

	expect(same.error?.context.details).toMatchObject({ kind: 'rateLimited', outcome: 'notSent' });
	expect(other.error?.context.details).toMatchObject({ kind: 'invalidApiKey' });
});

test('a wait that is too long fails the waiting items at once, and says when to come back', async () => {
	simulator().addFault({ kind: 'rateLimited', retryAfter: '3600', when: isFor(3), times: 1 });

	const puts = await outputs(callsOf(30, ONE_AT_A_TIME, CONTINUE));

	const hint = expect.stringMatching(/wants to be asked again at \d+-\d\d-\d\dT/) as unknown;
	const failed = { kind: 'rateLimited', outcome: 'notSent', httpStatus: null, hint };
	expect(puts.map(({ details }) => details)).toEqual([
		...Array<undefined>(3).fill(undefined),
		expect.objectContaining({ ...failed, outcome: 'refused', httpStatus: 429 }),
		...Array<unknown>(26).fill(expect.objectContaining(failed)),
	]);
	expect(simulator().requests).toHaveLength(4);
});
