import { DAYS, HOURS, past, timeOf, useContactBook } from './contactBook';
import { ada, closedHours, CONTINUE } from './contacts';
import { runNode } from './engine';

const { simulator, calls, outputs, prepare, add } = useContactBook();

describe('at most so many contacts', () => {
	const RULES = { atMostContacts: 2, atMostDays: 7 };

	test('holds back until the oldest of them is too long ago', async () => {
		await prepare();
		add(past(5 * DAYS));
		const second = past(3 * DAYS);
		add(second);
		add(past(1 * DAYS));

		const [json] = await outputs(calls([ada], RULES));

		expect(json).toMatchObject({ result: 'heldBack', reason: 'contactedOften' });
		const until = timeOf(second.contactedAt) + 7 * DAYS * 60_000;
		expect(timeOf(json?.notBefore)).toBe(Math.ceil(until / 1_000) * 1_000);
	});

	test('counts what is within the days alone', async () => {
		await prepare();
		add(past(8 * DAYS));
		add(past(1 * DAYS));

		const output = await outputs(calls([ada, ada], RULES));

		expect(output).toMatchObject([{ result: 'placed' }, { reason: 'contactedOften' }]);
	});

	test('comes after Not Again Within and before the hours', async () => {
		await prepare();
		add(past(HOURS));
		const often = { atMostContacts: 1, ...closedHours() };

		expect(await outputs(calls([ada], { ...often, notAgainWithin: 2 }))).toMatchObject([
			{ reason: 'contactedRecently' },
		]);
		expect(await outputs(calls([ada], often))).toMatchObject([{ reason: 'contactedOften' }]);
	});

	test('needs the book', async () => {
		const setup = calls([ada], RULES, CONTINUE);
		const { items } = await runNode({
			...setup,
			parameters: { ...setup.parameters, useContactBook: false },
		});

		expect(items[0]?.json).toMatchObject({
			error: expect.stringContaining('Use Contact Book') as string,
			details: { kind: 'invalidInput', outcome: 'notSent' },
		});
		expect(simulator().requests).toEqual([]);
	});
});
