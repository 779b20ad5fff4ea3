import fc from 'fast-check';

import {
	ADA,
	begin,
	BOB,
	contact,
	HOUR,
	START,
	startProcess,
	useWorld,
	world,
} from './contactProcess';
import type { OpenLedger } from '../../../../nodes/shared/delivery/ledger/open';
import { resultOf } from './openOver';

useWorld();

const open = startProcess();
/** Processes that know only what n8n has kept. */
const openLater = startProcess();
const openLast = startProcess();

/** Numbers that lie evenly between two. */
const parts = (min: number, max: number) =>
	fc.integer({ min: 1_000 * min, max: 1_000 * max }).map((thousandths) => thousandths / 1_000);

const hoursAndTimes = {
	hours: fc.constantFrom(0.5, 1, 24, 100, 8_760),
	begun: parts(0, 1),
};

test('a contact counts for its hours, and at most an eighth longer', async () => {
	const passed = parts(0, 2.2);
	await fc.assert(
		fc.asyncProperty(fc.record({ ...hoursAndTimes, passed }), async (one) => {
			const { hours, begun } = one;
			begin();
			const contactedAt = Math.floor(START + begun * hours * HOUR);
			world.now = contactedAt;
			await contact(open(hours, ADA));
			world.now = Math.floor(contactedAt + one.passed * hours * HOUR);

			const { ledger, contacts } = openLater(hours, ADA);
			const isFree = (await resultOf(ledger)) === undefined;
			const until = (contacts.history(0, false).contacts[0] ?? 0) + hours * HOUR;
			await ledger.close();

			if (isFree) expect(world.now).toBeGreaterThanOrEqual(contactedAt + hours * HOUR);
			else {
				expect(until).toBeGreaterThan(world.now);
				expect(until).toBeGreaterThanOrEqual(contactedAt + hours * HOUR);
				expect(until).toBeLessThanOrEqual(contactedAt + (9 / 8) * hours * HOUR + 1);
			}
			// What was asked for is no contact.
			expect(world.seen.row).toHaveLength(9);
		}),
		{ numRuns: 100 },
	);
});

test('the last of several contacts counts, from when its request was sent', async () => {
	const cases = fc.record({
		...hoursAndTimes,
		passed: parts(1.13, 2.2),
		after: parts(0, 1.2),
		later: parts(0, 1.2),
	});
	await fc.assert(
		fc.asyncProperty(cases, async ({ hours, begun, passed, after, later }) => {
			begin();
			const length = hours * HOUR;
			world.now = Math.floor(START + begun * length);
			await contact(open(hours, ADA));
			world.now += Math.floor(passed * length);
			expect(await contact(openLater(hours, ADA), true, Math.floor(after * length))).toBe(true);
			const contactedAt = world.now;
			world.now += Math.floor(later * length);

			const isFree = await contact(openLast(hours, ADA), false);

			if (world.now < contactedAt + length) expect(isFree).toBe(false);
			if (world.now >= contactedAt + (9 / 8) * length + 1) expect(isFree).toBe(true);
		}),
		{ numRuns: 100 },
	);
});

test('a contact by a clock that was ahead counts, and one far in the future does not', async () => {
	world.now = START + 20 * HOUR;
	await contact(open(24, ADA));
	world.now = START;
	expect(await contact(openLater(24, ADA))).toBe(false);

	world.now = START + 100 * HOUR;
	await contact(open(24, BOB));
	world.now = START;
	expect(await contact(openLater(24, BOB))).toBe(true);
});

test('it is said of whom n8n alone knows that they were contacted', async () => {
	const said = '2 of these are held back by contacts that another process of n8n has made';
	await contact(open(24, ADA));
	await contact(open(24, BOB));
	const sayOf = async ({ ledger, contacts }: OpenLedger) => {
		await resultOf(ledger, 0);
		await resultOf(ledger, 1);
		await ledger.close();
		return contacts.describeLimits();
	};

	expect(await sayOf(open(24, ADA, BOB))).toBe('');
	expect(await sayOf(openLater(24, ADA, BOB))).toContain(said);
	// In a later run, too: it may be read first.
	expect(await sayOf(openLater(24, ADA, BOB))).toContain(said);

	world.now += 30 * HOUR;
	expect(await contact(openLater(24, ADA))).toBe(true);
	expect(await sayOf(openLater(24, ADA, BOB))).toBe('');
});

test('what was asked for of somebody who was contacted goes before the run ends', async () => {
	await contact(open(24, ADA));
	world.now += 20 * HOUR;
	const before = [...world.seen.row];
	const { ledger } = openLater(24, ADA);

	expect(await resultOf(ledger)).toMatchObject({ heldBack: { reason: 'contactedRecently' } });

	expect(world.seen.row).toEqual(before);
});
