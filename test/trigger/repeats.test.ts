import fc from 'fast-check';
import { sleep, type IDataObject, type IWebhookFunctions } from 'n8n-workflow';

import {
	isKnown,
	MAX_STORED,
	recognise,
	remember,
	REMEMBERED_FOR,
} from '../../nodes/AssistantServiceTrigger/repeats';
import { createState, MAX_EVENTS, type State } from '../../nodes/AssistantServiceTrigger/state';
import { node } from '../shared/samples';

const NOW = 1_800_000_000_000;

/** A delivery that starts an execution if it is no repeat. Gives whether it is one, and what is stored then. */
function deliver(memory: State, key: string, stored?: unknown, now = NOW) {
	const isRepeat = isKnown(memory, 'w n', key, stored, now);
	return { isRepeat, stored: isRepeat ? stored : remember(memory, 'w n', key, now) };
}

/** Which of the events a process knows that has just begun. */
const knownAfterRestart = (keys: readonly string[], stored: unknown, now = NOW): boolean[] => {
	const memory = createState();
	return keys.map((key) => isKnown(memory, 'w n', key, stored, now));
};

test('an event is a repeat in the same moment, and for 24 hours; also after a restart', () => {
	const memory = createState();
	const { stored } = deliver(memory, 'call-1');
	const isRepeatAt = (time: number) => [
		isKnown(memory, 'w n', 'call-1', undefined, time),
		...knownAfterRestart(['call-1'], stored, time),
	];

	expect(isRepeatAt(NOW)).toEqual([true, true]);
	expect(isRepeatAt(NOW + REMEMBERED_FOR - 1)).toEqual([true, true]);
	expect(isRepeatAt(NOW + REMEMBERED_FOR)).toEqual([false, false]);
});

test('triggers do not know the events of others', () => {
	const memory = createState();
	remember(memory, 'w 1', 'call-1', NOW);

	expect(isKnown(memory, 'w 2', 'call-1', undefined, NOW)).toBe(false);
});

test('what is to be stored holds all that is known, although something older was read in between', () => {
	const memory = createState();
	const older = deliver(memory, 'call-1').stored;
	deliver(memory, 'call-2', older);
	isKnown(memory, 'w n', 'call-1', older, NOW);
	const { stored } = deliver(memory, 'call-3', older);

	expect(knownAfterRestart(['call-1', 'call-2', 'call-3'], stored)).toEqual([true, true, true]);
	expect(String(stored)).toHaveLength(3 * 19 - 1);
});

test('what is stored holds the newest of all processes, whichever stores last', () => {
	const [one, other] = [createState(), createState()];
	for (let index = 0; index < MAX_STORED; index++)
		remember(one, 'w n', `old-${index}`, NOW + index);
	const newer = remember(other, 'w n', 'newer', NOW + 60_000);
	isKnown(one, 'w n', 'newest', newer, NOW + 60_001);
	const stored = remember(one, 'w n', 'newest', NOW + 60_001);

	const keys = ['old-0', 'old-1', 'old-2', 'old-999', 'newer', 'newest'];
	const known = [false, false, true, true, true, true];
	expect(knownAfterRestart(keys, stored, NOW + 60_002)).toEqual(known);
	expect(stored.length).toBeLessThan(MAX_STORED * 20);
	// What is not stored is known to the process.
	expect(isKnown(one, 'w n', 'old-0', stored, NOW + 60_002)).toBe(true);
});

test('of more events than a process remembers it forgets the oldest', () => {
	const memory = createState();
	const keys = Array.from({ length: MAX_EVENTS + 1 }, (_, index) => `call-${index}`);
	const all = keys.map((key, index) => remember(createState(), 'w n', key, NOW + index));
	isKnown(memory, 'w n', 'another', all.join(' '), NOW);
	const knows = (index: number) => isKnown(memory, 'w n', `call-${index}`, undefined, NOW);

	expect([0, 1, MAX_EVENTS].map(knows)).toEqual([false, true, true]);
});

test('times in the future are not kept, nor do they push out others', () => {
	const memory = createState();
	const wrong = remember(createState(), 'w n', 'call-1', NOW + 2 * REMEMBERED_FOR);

	expect(deliver(memory, 'call-1', wrong).isRepeat).toBe(false);
	expect(remember(memory, 'w n', 'call-2', NOW)).not.toContain(wrong);
});

test('each event of any order starts exactly one execution, over any restarts and failures to start', () => {
	const delivery = fc.record({
		key: fc.string({ maxLength: 3 }),
		restarts: fc.boolean(),
		fails: fc.boolean(),
	});
	fc.assert(
		fc.property(fc.array(delivery), (deliveries) => {
			let memory = createState();
			let stored: unknown;
			const started: string[] = [];
			for (const [index, { key, restarts, fails }] of deliveries.entries()) {
				if (restarts) memory = createState();
				if (isKnown(memory, 'w n', key, stored, NOW + index) || fails) continue;
				stored = remember(memory, 'w n', key, NOW + index);
				started.push(key);
			}
			const taken = deliveries.filter(({ fails }) => !fails).map(({ key }) => key);
			expect(started).toEqual([...new Set(taken)]);
		}),
	);
});

test.each([[null], [42], [''], ['a b c'], ['. . .'], ['__proto__.zz'], ['zzzzzzzzaaaaaaaaaa']])(
	'survives stored nonsense (%p), and stores none of it again',
	(nonsense) => {
		const memory = createState();
		const { isRepeat, stored } = deliver(memory, 'call-1', nonsense);

		expect(isRepeat).toBe(false);
		expect(stored).toBe(deliver(createState(), 'call-1').stored);
		expect(deliver(memory, 'call-1', nonsense).isRepeat).toBe(true);
	},
);

test('of two deliveries that ask in one step, the second waits until the first is answered', async () => {
	const responses = [{ writableEnded: false }, { writableEnded: false }];
	const data: IDataObject = {};
	const asked = responses.map(async (response) => {
		const context = {
			getNodeParameter: (_: string, fallback?: unknown) => fallback,
			getMode: () => 'webhook',
			getWorkflowStaticData: () => data,
			getWorkflow: () => ({ id: 'workflow', active: true }),
			getNode: () => ({ ...node, id: 'asked in one step' }),
			getResponseObject: () => response,
		};
		return await recognise(context as unknown as IWebhookFunctions, 'event');
	});
	const started = await asked[0];
	expect(await Promise.race([asked[1], sleep(100)])).toBeUndefined();

	if (typeof started === 'function') started();
	Object.assign(responses[0] ?? {}, { writableEnded: true });

	expect(await asked[1]).toBe('repeat');
});
