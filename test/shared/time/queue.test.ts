import fc from 'fast-check';

import { joined, queueOf } from '../../../nodes/shared/time/queue';
import { hold } from '../../simulator/hold';

/** What is asked for, when, and what becomes of the parts, over and over again. */
const scenario = fc.record({
	most: fc.integer({ min: 1, max: 7 }),
	waits: fc.array(fc.nat(5), { maxLength: 40 }),
	parts: fc.array(fc.constantFrom('good', 'good', 'throws', 'short'), {
		minLength: 1,
		maxLength: 6,
	}),
});

const later = async (steps: number): Promise<void> => {
	for (let step = 0; step < steps; step++) await new Promise((resolve) => setImmediate(resolve));
};

test('every question gets its own answer or the error of its part, one part at a time', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async ({ most, waits, parts }) => {
			const asked: number[][] = [];
			let underWay = 0;
			const ask = joined<number, string>(most, async (questions) => {
				expect(++underWay).toBe(1);
				const fate = parts[asked.length % parts.length];
				asked.push([...questions]);
				await later(questions.length % 3);
				underWay--;
				if (fate === 'throws') throw new Error(`part of ${questions.join(' ')}`);
				const answers = questions.map((question) => `answer to ${question}`);
				return fate === 'short' ? answers.slice(1) : answers;
			});

			const ends = await Promise.all(
				waits.map(async (wait, question) => {
					await later(wait);
					const begun = asked.length;
					const end = await ask(question).catch((error: unknown) => error);
					return { end, begun, question };
				}),
			);

			expect(asked.flat().sort((one, other) => one - other)).toEqual([...waits.keys()]);
			expect(asked.every(({ length }) => length >= 1 && length <= most)).toBe(true);
			for (const { end, begun, question } of ends) {
				const part = asked.findIndex((questions) => questions.includes(question));
				// It is in a part that began after it was asked.
				expect(part).toBeGreaterThanOrEqual(begun);
				const fate = parts[part % parts.length];
				const questions = asked[part] ?? [];
				if (fate === 'throws') expect(end).toEqual(new Error(`part of ${questions.join(' ')}`));
				else if (fate === 'good') expect(end).toBe(`answer to ${question}`);
				else if (question === questions.at(-1)) expect(end).toBeInstanceOf(Error);
			}
		}),
		{ numRuns: 300 },
	);
});

describe('of too many that wait, the oldest gets an error', () => {
	const endOf = async (work: Promise<unknown>) => await work.catch(() => 'lost');

	test('in a queue', async () => {
		const { until: held, release } = hold();
		const inTurn = queueOf(1, 2);
		const ends = [0, 1, 2, 3, 4].map((name) => endOf(inTurn(() => held.then(() => name))));

		expect(await Promise.all(ends.slice(1, 3))).toEqual(['lost', 'lost']);
		release();

		expect(await Promise.all(ends)).toEqual([0, 'lost', 'lost', 3, 4]);
	});

	test('with all of its part', async () => {
		const { until: held, release } = hold();
		const ask = joined<number, string>(2, async (questions) => {
			await held;
			return questions.map(String);
		});
		const names = Array.from({ length: 2 * 303 }, (_, name) => name);

		const ends = names.map((name) => endOf(ask(name)));
		release();

		const isLost = (name: number): boolean => name >= 2 && name < 6;
		expect(await Promise.all(ends)).toEqual(
			names.map((name) => (isLost(name) ? 'lost' : String(name))),
		);
	});
});
