import type { IDataObject } from 'n8n-workflow';

import type { Outcome } from '../../../nodes/shared/delivery/outcome';
import type { Item } from '../../../nodes/shared/items/item';
import { passing, useFakeTime } from '../../until';
import { planOf } from '../samples';
import { accepted, failed, other, plan, refused, repeatable, sendAgain } from './results';
import { copyOf, newNode, Run } from './runs';
import { SeenByNode } from './seenByNode';

const inRetry = async (saved: IDataObject, of: Item): Promise<Outcome | undefined> =>
	await (await Run.open(newNode(), [of], { saved, isRetry: true })).known();

useFakeTime();

/** An item was sent in a try of which n8n has saved this. */
async function savedWith(outcome: Outcome | undefined, of: Item): Promise<IDataObject> {
	const saved: IDataObject = {};
	const run = await Run.open(newNode(), [of], { saved });
	run.memory.sending(run.entry(0));
	if (outcome) await run.memory.settle(run.entry(0), outcome);
	return copyOf(saved);
}

test.each(['main', 'fallback'] as const)(
	'in a retry it is remembered as sent by %s',
	async (via) => {
		const sent = { ...accepted, via };

		expect(await inRetry(await savedWith(sent, plan), plan)).toEqual(sent);
	},
);

const sendableInRetry = async (seen: SeenByNode, items: readonly Item[]): Promise<boolean[]> => {
	const { memory } = await Run.open(seen, items, { isRetry: true });
	await passing(memory.claim(memory.entries));
	const sendable = memory.entries.map((entry) => memory.before(entry).kind === 'sendable');
	await passing(memory.close());
	return sendable;
};

describe('an item that may have been sent before, and is sent again', () => {
	test.each<[string, Outcome]>([
		['refused', failed('refused')],
		['held back', { kind: 'heldBack', reason: 'outsideHours', notBefore: null }],
	])('stays unknown if it is %s', async (_, given) => {
		const saved = await savedWith(failed('unknown'), plan);
		const run = await Run.open(newNode(), [sendAgain], { saved, isRetry: true });
		const told = { kind: 'serviceError', outcome: 'unknown', ofEarlierTry: 'outcome' };
		expect(await run.send(given)).toMatchObject(
			given.kind === 'heldBack' ? given : { failure: told },
		);

		expect(await inRetry(saved, plan)).toMatchObject(failed('unknown'));
	});

	test('of an operation that is safe to repeat ends as it ends', async () => {
		const run = await Run.open(newNode(), [repeatable], {
			saved: await savedWith(undefined, repeatable),
		});

		expect(await run.send(failed('refused'))).toEqual(failed('refused'));
	});

	test('stays unknown after a crash if it is refused', async () => {
		const seen = newNode();
		await (await Run.open(seen, [plan])).known();
		const run = await Run.open(seen, [sendAgain], { isRetry: true });

		expect(await run.send(failed('refused'))).toMatchObject({ failure: { outcome: 'unknown' } });
		await passing(run.memory.close());

		expect(await sendableInRetry(seen, [plan])).toEqual([false]);
	});
});

test('after the death of n8n, items that are refused are not marked, and keep their numbers', async () => {
	const seen = newNode();
	const run = await Run.open(seen, [refused, plan, refused]);
	await passing(run.memory.claim(run.memory.entries));

	expect(seen.row).toHaveLength(1);
	expect(await sendableInRetry(seen, [refused, plan])).toEqual([false, false]);
});

describe('what n8n saves', () => {
	test('is small: of the request, only the number is in it', async () => {
		const text = JSON.stringify(await savedWith(undefined, plan));

		expect(text).toContain('4915112345678');
		expect(text).not.toContain('/v1/');
		expect(text.length).toBeLessThan(300);
	});

	test.each<[name: string, deliveries: unknown]>([
		['text', 'broken'],
		['a run that is text', { 0: 'broken' }],
		['a run without entries', { 0: { executionId: 'e', tries: 1 } }],
		['entries that are numbers', { 0: { executionId: 'e', tries: 1, entries: [1] } }],
	])('may be %s', async (_, deliveries) => {
		const saved = { deliveries } as IDataObject;

		const run = await Run.open(newNode(), [plan], { saved });
		expect(run.notes.tries).toBe(1);
		expect(await run.send(accepted)).toEqual(accepted);

		expect(await inRetry(copyOf(saved), plan)).toEqual(accepted);
	});

	test.each([
		['an answer of an operation that is safe to repeat', repeatable, true],
		['an answer of an operation that reaches people', plan, true],
		['no answer of what only reads', planOf('assistant.getPrompt'), false],
	])('holds %s', async (_, of, isNoted) => {
		expect(await inRetry(await savedWith(accepted, of), of)).toEqual(
			isNoted ? accepted : undefined,
		);
	});
});

describe('of a tool', () => {
	const openTool = async (saved: IDataObject, of: Item = plan): Promise<Run> =>
		await Run.open(newNode(), [of], { saved, isTool: true });

	test.each([
		['has ended', false],
		['has ended and a third has begun', true],
	])('a call that waited while another %s is still remembered', async (_, hasThird) => {
		const saved: IDataObject = {};
		const waiting = await openTool(saved);
		const ended = await openTool(saved, other);
		await ended.send(accepted);
		ended.notes.clear();
		if (hasThird) await openTool(saved, other);
		await waiting.send(failed('unknown'));
		waiting.notes.clear();

		expect(await (await openTool(saved)).known()).toMatchObject(failed('unknown'));
	});

	test('the same request at the same moment is sent once', async () => {
		const saved: IDataObject = {};
		const [one, same] = [await openTool(saved), await openTool(saved)];
		expect(one.memory.sending(one.entry(0))).toBeUndefined();

		expect(same.memory.sending(same.entry(0))).toMatchObject({ failure: { outcome: 'unknown' } });
	});
});

const chat = planOf('chat.start');

/** A retry of an execution with so many chats, of which n8n has saved nothing. */
async function retry<T>(execution: string, chats: number, work: (run: Run) => T): Promise<T> {
	const items = Array.from({ length: chats }, () => chat);
	const run = await Run.open(new SeenByNode(execution), items, { isRetry: true });
	const result = work(run);
	await passing(run.memory.close());
	return result;
}

const answerAll = async (execution: string, chats: number, length: number): Promise<void> => {
	await retry(execution, chats, ({ memory }) => {
		for (const entry of memory.entries) {
			const answer: Outcome = { ...accepted, body: { response: 'x'.repeat(length) } };
			memory.sending(entry);
			void memory.settle(entry, answer);
		}
	});
};

const knownTo = async (execution: string, chats: number): Promise<number> =>
	await retry(
		execution,
		chats,
		({ memory }) => memory.entries.filter(({ note }) => note?.accepted).length,
	);

test('what retries were answered is kept for others, the last 20 MB', async () => {
	const executions = Array.from({ length: 5 }, (_, index) => `long answers ${index}`);
	for (const execution of executions) await answerAll(execution, 1_000, 5_000);

	const known: number[] = [];
	for (const execution of executions) known.push(await knownTo(execution, 1_000));

	expect(known).toEqual([0, 0, 1_000, 1_000, 1_000]);
});

test.each([
	['of a single retry with more than that, nothing is kept', 5_000, 5_000, 0],
	['a few long answers are kept', 10, 1_000_000, 10],
	['many short answers are kept', 10_000, 100, 10_000],
])('%s', async (name, chats, length, kept) => {
	await answerAll(name, chats, length);

	expect(await knownTo(name, chats)).toBe(kept);
});
