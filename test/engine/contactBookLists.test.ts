import { getEventListeners } from 'events';

import { until } from '../until';
import { minutesAgo, useBookWorld } from './contactBook';
import { ada } from './contacts';
import { startNode } from './engine';
import { untilAsked } from './recipients';
import { callsByRecipient, numbers } from './world';

const { simulator, tables, calls, outputs, rows, add } = useBookWorld();

const RULES = { notAgainWithin: 24 };

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
	// Few requests a part: to claim it, and to write what became of it.
	expect(tables().requests.length).toBeLessThan(500);
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
