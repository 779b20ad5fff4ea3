import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { mayHaveBeenSent, type Outcome } from '../../../nodes/shared/delivery/outcome';
import type { Item } from '../../../nodes/shared/items/item';
import { passing } from '../../engine/virtualWorld';
import { planOf } from '../samples';
import { accepted, failed, other, plan, refused, repeatable, sendAgain } from './results';
import { copyOf, newNode, Run, savedWith, sendableInRetry, type RunOptions } from './runs';
import type { SeenByNode } from './seenByNode';

const plans = (count: number, of: Item = plan): Item[] => Array<Item>(count).fill(of);

/** The first run of an execution, in which n8n dies when it comes to an item. */
async function dieAt(seen: SeenByNode, index: number, items: Item[]): Promise<void> {
	const run = await Run.open(seen, items);
	for (let first = 0; first <= index; first += 50)
		await passing(run.memory.claim(run.items.slice(first, first + 50)));
}

/** What becomes of an item in the retry of an execution that n8n has saved. */
const inRetry = async (saved: IDataObject, of: Item): Promise<Outcome | undefined> =>
	await (await Run.open(newNode(), [of], { saved, isRetry: true })).known();

beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
	jest.useRealTimers();
});

describe.each<[name: string, more: RunOptions]>([
	['the next try of the execution', {}],
	['its retry', { isRetry: true }],
])('in %s', (_, more) => {
	const reopen = async (saved: IDataObject, of: Item) =>
		await Run.open(newNode(), [of], { ...more, saved });

	test.each(['main', 'fallback'] as const)('it is remembered as sent by %s', async (via) => {
		const run = await reopen(await savedWith({ ...accepted, via }, plan), plan);

		expect(await run.known()).toEqual({ ...accepted, via });
	});

	test('what was under way when the execution ended is unknown', async () => {
		const run = await reopen(await savedWith(undefined, plan), plan);

		expect(await run.known()).toMatchObject({
			failure: { kind: 'unreachable', outcome: 'unknown', httpStatus: null },
		});
	});

	test('it is sent if the service said no, and if it was unknown and is to be sent again', async () => {
		expect(
			await (await reopen(await savedWith(failed('refused'), plan), plan)).known(),
		).toBeUndefined();
		const saved = await savedWith(failed('unknown'), plan);
		expect(await (await reopen(saved, sendAgain)).known()).toBeUndefined();
		expect(await (await reopen(saved, plan)).known()).toMatchObject(failed('unknown'));
	});

	test('it stays what it was if it cannot be sent now', async () => {
		const of = async (given: Outcome) =>
			await (await reopen(await savedWith(given, plan), refused)).known();

		expect(await of(accepted)).toEqual(accepted);
		expect(await of(failed('refused'))).toEqual({ kind: 'failed', failure: refused.failure });
		expect(await of(failed('unknown'))).toMatchObject({
			failure: { kind: 'invalidInput', outcome: 'unknown' },
		});
	});
});

describe('an item that may have been sent before, and is sent again', () => {
	const tries: [string, Outcome][] = [
		['refused', failed('refused')],
		['not sent', failed('notSent')],
		['held back', { kind: 'heldBack', reason: 'outsideHours', notBefore: null }],
	];

	test.each(tries)('stays unknown if it is %s', async (_, given) => {
		const saved = await savedWith(failed('unknown'), plan);
		const run = await Run.open(newNode(), [sendAgain], { saved, isRetry: true });
		const message = expect.stringContaining('and an earlier try may have sent it') as unknown;
		const told = { kind: 'serviceError', outcome: 'unknown', message };
		expect(await run.send(given)).toMatchObject(
			given.kind === 'heldBack' ? given : { failure: told },
		);

		expect(await inRetry(saved, plan)).toMatchObject(failed('unknown'));
	});

	test('counts as what became of it if it is accepted', async () => {
		const saved = await savedWith(failed('unknown'), plan);
		const run = await Run.open(newNode(), [sendAgain], { saved, isRetry: true });

		expect(await run.send(accepted)).toEqual(accepted);
		expect(run.memory.sentAgain).toBe(1);
		expect(await inRetry(saved, plan)).toEqual(accepted);
	});

	test('stays what it was if it does not come to be sent', async () => {
		const saved = await savedWith(undefined, plan);
		const run = await Run.open(newNode(), [sendAgain], { saved, signal: AbortSignal.abort() });

		expect(await run.send(accepted)).toMatchObject({
			failure: { kind: 'unreachable', outcome: 'unknown' },
		});
	});

	test('of an operation that is safe to repeat ends as it ends', async () => {
		const run = await Run.open(newNode(), [repeatable], {
			saved: await savedWith(undefined, repeatable),
		});

		expect(await run.send(failed('refused'))).toEqual(failed('refused'));
	});

	test.each(['refused', 'notSent'] as const)(
		'stays unknown after a crash if it is %s',
		async (outcome) => {
			const seen = newNode();
			await dieAt(seen, 0, plans(1));
			const run = await Run.open(seen, [sendAgain], { isRetry: true });

			expect(await run.send(failed(outcome))).toMatchObject({ failure: { outcome: 'unknown' } });
			await passing(run.memory.close());

			expect(await sendableInRetry(seen, plans(1))).toEqual([false]);
		},
	);
});

describe('after the death of n8n', () => {
	test('other executions and other items are new', async () => {
		const seen = newNode();
		await dieAt(seen, 0, plans(1));

		expect(await sendableInRetry(seen, plans(2))).toEqual([false, true]);
		expect(await sendableInRetry(seen, plans(1), { isRetry: true, token: 'e2' })).toEqual([true]);
		expect(await sendableInRetry(seen, [other])).toEqual([true]);
	});

	test('who was reached is known whatever else was edited, and in any order', async () => {
		const seen = newNode();
		const [ada, bob] = ['+4915100000001', '+4915100000002'];
		const sms = (toNumber: string, message: string) => planOf('sms.start', { toNumber, message });
		await dieAt(seen, 0, [sms(ada, 'a'), sms(ada, 'b'), sms(bob, 'c')]);

		const edited = [sms(bob, 'C'), sms(bob, 'C'), sms(ada, 'A'), sms(ada, 'B'), sms(ada, 'B')];

		expect(await sendableInRetry(seen, edited)).toEqual([false, true, false, false, true]);
	});

	test('of an operation that reaches nobody, what was entered otherwise is another item', async () => {
		const seen = newNode();
		const chat = planOf('chat.start');
		const different = planOf('chat.start', { question: 'Another one?' });
		await dieAt(seen, 0, [chat]);

		expect(await sendableInRetry(seen, [chat, chat, different])).toEqual([false, true, true]);
	});

	test('nothing that was marked is sent again, whenever n8n dies', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.nat(), async (count, seed) => {
				const diesAt = seed % count;
				const seen = newNode();
				await dieAt(seen, diesAt, plans(count));

				const may = await sendableInRetry(seen, plans(count));

				expect(may.slice(0, diesAt + 1)).toEqual(Array(diesAt + 1).fill(false));
				expect(may.filter((one) => !one).length).toBeLessThanOrEqual(diesAt + 50);
			}),
		);
	});

	test('a retry that is stopped says what n8n knows, and sends nothing', async () => {
		const seen = newNode();
		await dieAt(seen, 0, plans(2));
		const run = await Run.open(seen, plans(3), { isRetry: true, signal: AbortSignal.abort() });
		const outcomes = [];
		for (const index of [0, 1, 2]) outcomes.push(await run.send(accepted, index));
		await passing(run.memory.close());

		expect(outcomes.map(mayHaveBeenSent)).toEqual([true, true, false]);
		expect(await sendableInRetry(seen, plans(3))).toEqual([false, false, true]);
	});

	test('items that are refused are not marked, and keep their numbers', async () => {
		const seen = newNode();
		const run = await Run.open(seen, [refused, plan, refused]);
		await passing(run.memory.claim(run.items));

		expect(seen.row).toHaveLength(1);
		expect(await sendableInRetry(seen, [refused, plan])).toEqual([false, false]);
	});
});

describe('while n8n cannot keep marks', () => {
	test('a first run sends all the same, and its marks are added later', async () => {
		const seen = newNode();
		seen.isBroken = true;
		const run = await Run.open(seen, plans(1));
		expect(await run.known()).toBeUndefined();
		expect(seen.warnings).toHaveLength(1);

		seen.isBroken = false;
		const next = await Run.open(seen, [other], { token: 'e2' });
		await next.known();
		expect(await sendableInRetry(seen, plans(1))).toEqual([false]);
	});

	test('a retry sends nothing', async () => {
		const seen = newNode();
		seen.isBroken = true;
		const run = await Run.open(seen, plans(1), { isRetry: true });

		expect(await run.known()).toMatchObject({ failure: { kind: 'stopped', outcome: 'notSent' } });
	});
});

describe('what n8n saves', () => {
	test('is nothing after a run that is over', async () => {
		const saved = await savedWith(accepted, plan);
		const run = await Run.open(newNode(), [plan], { saved });
		run.notes.clear();

		expect(saved).toEqual({});
	});

	test('is small: of the request, only the number is in it', async () => {
		const text = JSON.stringify(await savedWith(undefined, plan));

		expect(text).toContain('4915112345678');
		expect(text).not.toContain('/v1/');
		expect(text.length).toBeLessThan(300);
	});

	test.each<[name: string, deliveries: unknown]>([
		['text', 'broken'],
		['null', null],
		['a list', [1, 2]],
		['a run that is text', { 0: 'broken' }],
		['a run without entries', { 0: { executionId: 'e', tries: 1 } }],
		['tries that are text', { 0: { executionId: 'e', tries: 'two', entries: [] } }],
		['entries that are numbers', { 0: { executionId: 'e', tries: 1, entries: [1] } }],
	])('may be %s', async (_, deliveries) => {
		const saved = { deliveries } as IDataObject;

		const run = await Run.open(newNode(), [plan], { saved });
		expect(run.notes.tries).toBe(1);
		expect(await run.send(accepted)).toEqual(accepted);

		expect(await inRetry(copyOf(saved), plan)).toEqual(accepted);
	});

	test.each([
		['a short answer of an operation that is safe to repeat', repeatable, 10, true],
		['a long answer of an operation that is safe to repeat', repeatable, 20_000, false],
		['a long answer of an operation that reaches people', plan, 20_000, true],
	])('holds %s: %#', async (_, of, length, isKept) => {
		const long: Outcome = { ...accepted, body: { text: 'x'.repeat(length) } };

		expect(await inRetry(await savedWith(long, of), of)).toEqual(isKept ? long : undefined);
	});

	test('counts the tries of one execution, and not those of another', async () => {
		const saved: IDataObject = {};
		const tries: number[] = [];
		for (const executionId of ['a', 'a', 'a', 'b', 'b'])
			tries.push((await Run.open(newNode(), [plan], { saved, executionId })).notes.tries);

		expect(tries).toEqual([1, 2, 3, 1, 2]);
	});
});

describe('of a tool', () => {
	const openTool = async (saved: IDataObject, of: Item = plan): Promise<Run> =>
		await Run.open(newNode(), [of], { saved, executionId: '', runIndex: '3', isTool: true });

	test('a call of which nobody can say is known again', async () => {
		const saved: IDataObject = {};
		const run = await openTool(saved);
		await run.send(failed('unknown'));
		run.notes.clear();

		expect(await (await openTool(saved)).known()).toMatchObject(failed('unknown'));
		expect(await (await openTool(saved, other)).known()).toBeUndefined();
	});

	test('a call that was accepted is over: the same again is a new one', async () => {
		const saved: IDataObject = {};
		const run = await openTool(saved);
		await run.send(accepted);
		run.notes.clear();

		expect(saved).toEqual({});
		expect(await (await openTool(saved)).known()).toBeUndefined();
	});

	test.each<[name: string, between: (saved: IDataObject) => Promise<unknown>]>([
		[
			'has ended',
			async () => {
				await Promise.resolve();
			},
		],
		['has ended and a third has begun', async (saved) => await openTool(saved, other)],
	])('a call that waited while another %s is still remembered', async (_, between) => {
		const saved: IDataObject = {};
		const waiting = await openTool(saved);
		const ended = await openTool(saved, other);
		await ended.send(accepted);
		ended.notes.clear();
		await between(saved);
		await waiting.send(failed('unknown'));
		waiting.notes.clear();

		expect(await (await openTool(saved)).known()).toMatchObject(failed('unknown'));
	});

	test('the same request at the same moment is sent once', async () => {
		const saved: IDataObject = {};
		const [one, same] = [await openTool(saved), await openTool(saved)];
		expect(one.memory.sending(one.item(0))).toBeUndefined();

		expect(same.memory.sending(same.item(0))).toMatchObject({ failure: { outcome: 'unknown' } });
	});
});
