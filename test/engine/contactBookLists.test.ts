import { getEventListeners } from 'events';

import { until } from '../until';
import { minutesAgo, useBookWorld } from './contactBook';
import { ada, bob, eve } from './contacts';
import { startNode } from './engine';
import { untilAsked } from './recipients';
import { callsByRecipient, numbers } from './world';

const { simulator, tables, calls, outputs, rows, add } = useBookWorld();

const RULES = { notAgainWithin: 24 };

const requestsOf = (method: string, end: string): number =>
	tables().requests.filter((request) => request.method === method && request.path.endsWith(end))
		.length;

test('a list of 500 is claimed in parts of 50, and leaves no listener behind', async () => {
	tables().requests.splice(0);
	const signals: AbortSignal[] = [];
	const any = AbortSignal.any.bind(AbortSignal);
	const spy = jest.spyOn(AbortSignal, 'any').mockImplementation((sources) => {
		const signal = any(sources);
		signals.push(signal);
		return signal;
	});

	const output = await outputs(calls(numbers(500), RULES));
	spy.mockRestore();

	expect(output.filter(({ result }) => result === 'placed')).toHaveLength(500);
	expect(requestsOf('POST', '/rows')).toBe(10);
	// Each part reads the numbers and the opt-outs, and the numbers once more.
	expect(requestsOf('GET', '/rows')).toBeLessThanOrEqual(32);
	// Each contact has an ID of its own.
	expect(requestsOf('PATCH', '/rows/update')).toBe(500);
	expect(rows().filter(({ outcome }) => outcome === 'accepted')).toHaveLength(500);
	expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
});

test('of a list that is cancelled, what was not sent is no contact', async () => {
	simulator().setTraffic({ latencyMs: 20 });
	const people = numbers(120);
	const run = startNode(calls(people, RULES, {}, { maxConcurrentRequests: 2 }));
	await untilAsked(simulator(), 60);

	run.cancel();
	await run.finished;

	const isClaimed = () => rows().some(({ outcome }) => outcome === 'claimed');
	await until(() => !isClaimed());
	const reached = callsByRecipient(simulator());
	for (const { to } of people) {
		const made = rows().filter(({ phone, outcome }) => phone === to && outcome !== 'notMade');
		expect(made).toHaveLength(reached[to] ?? 0);
	}
});

describe('a claim that is more than 8 minutes old when its item is to be sent', () => {
	const MINUTE = 60_000;

	afterEach(() => {
		jest.restoreAllMocks();
	});

	/** Calls three people; while the service answers the first, minutes pass and something happens. */
	async function callLate(minutes: number, meanwhile: () => void) {
		simulator().addFault({ kind: 'delay', delayMs: 100, times: 1 });
		const now = Date.now.bind(Date);
		const running = outputs(calls([ada, bob, eve], RULES, {}, { maxConcurrentRequests: 1 }));
		await untilAsked(simulator(), 1);
		jest.spyOn(Date, 'now').mockImplementation(() => now() + minutes * MINUTE);
		meanwhile();
		return await running;
	}

	const contacted = () => {
		add({ phone: bob.to, mode: 'live', outcome: 'accepted', contactedAt: minutesAgo(1) });
	};

	test('is made again, and the item is held back if another has contacted the person', async () => {
		const output = await callLate(9, contacted);

		expect(output).toMatchObject([
			{ result: 'placed' },
			{ reason: 'contactedRecently' },
			{ result: 'placed' },
		]);
		const ofBob = rows().filter(({ phone }) => phone === bob.to);
		expect(ofBob.map(({ outcome }) => outcome)).toEqual(['notMade', 'accepted']);
	});

	test('is in the book with its new time before the request goes out', async () => {
		const seen: unknown[] = [];
		simulator().addFault({
			kind: 'delay',
			delayMs: 0,
			when: ({ rawBody }) => {
				if (rawBody.includes(bob.to)) seen.push(...rows().filter(({ phone }) => phone === bob.to));
				return false;
			},
		});
		const begun = Date.now();

		await callLate(9, () => undefined);

		expect(seen).toMatchObject([{ outcome: 'claimed' }]);
		const { contactedAt } = seen[0] as { contactedAt: string };
		expect(Date.parse(contactedAt)).toBeGreaterThanOrEqual(begun + 9 * MINUTE);
	});
});

describe('what people enter', () => {
	const past = { phone: ada.to, mode: 'live', contactedAt: minutesAgo(60) };

	test.each([
		[
			'no time: it is of when the row was added',
			{ ...past, contactedAt: null, outcome: 'x' },
			true,
		],
		['a time to come', { ...past, contactedAt: '2099-01-01T00:00:00.000Z', outcome: 'x' }, true],
		[
			'a claim to come',
			{ ...past, contactedAt: '2099-01-01T00:00:00.000Z', outcome: 'claimed' },
			true,
		],
		['a time long ago', { ...past, contactedAt: '1970-01-01T00:00:00.000Z', outcome: 'x' }, false],
		['a number that is none', { ...past, phone: 'Ada', outcome: 'x' }, false],
		['no number', { ...past, phone: null, outcome: 'x', doNotContact: true }, false],
		['nothing', {}, false],
	])('%s', async (_, row, isHeldBack) => {
		add(row);

		const output = await outputs(calls([ada], RULES, {}, { maxWait: 1 }));

		expect(output).toMatchObject([
			isHeldBack ? { reason: 'contactedRecently' } : { result: 'placed' },
		]);
		expect(rows().at(0)).toMatchObject(row);
	});
});
