import { failureOf } from '../../../../nodes/shared/delivery/result';
import { accepted, failed } from '../results';
import { ADA, BOB, contact, HOUR, START, startProcess, useWorld, world } from './contactProcess';
import { resultOf, send } from './openOver';

useWorld();

const open = startProcess();
/** A process that knows only what n8n has kept. */
const openLater = startProcess();

const heldBack = { heldBack: { reason: 'contactedRecently' } };

describe.each([
	['in the same process', open],
	['after a restart', openLater],
])('%s', (_, openAgain) => {
	test('who was contacted is known, and nobody else', async () => {
		await contact(open(24, ADA));
		world.now += HOUR;

		const { ledger, contacts } = openAgain(24, '4915112345678', BOB);

		expect(await resultOf(ledger, 0)).toMatchObject(heldBack);
		expect(await resultOf(ledger, 1)).toBeUndefined();
		expect([0, 1].map((index) => contacts.needsClaim(index))).toEqual([true, false]);
		expect(contacts.history(0, false).contacts[0]).toBeGreaterThanOrEqual(START);
		expect(contacts.history(0, false).contacts[0]).toBeLessThanOrEqual(START + 3 * HOUR);
		expect(contacts.history(1, false).contacts[0]).toBeUndefined();
	});

	test('who was not contacted in the end is free, and leaves no mark', async () => {
		await contact(open(24, ADA), false);

		expect(world.seen.row).toEqual([]);
		expect(await contact(openAgain(24, ADA))).toBe(true);
	});
});

test('an earlier try of the same execution is no contact', async () => {
	await contact(open(24, ADA));

	const { ledger, contacts } = openLater(24, ADA);
	// As of an item that is sent again.
	const round = contacts.begin([0]);
	const item = { isOfEarlierTry: () => true, mayBeSent: () => true };
	expect(await round.finish(new Set(world.seen.row), item)).toBe(true);

	expect(contacts.needsClaim(0)).toBe(false);
	await ledger.close();
});

test('nothing is claimed while n8n cannot keep marks, and nobody waits for it', async () => {
	const { ledger, contacts } = open(24, ADA);
	world.seen.isBroken = true;

	const failure = failureOf((await resultOf(ledger)) ?? accepted);
	expect(failure).toMatchObject({ kind: 'stopped', outcome: 'notSent' });
	expect(failure?.message).toContain('whom this node has contacted');
	expect(contacts.needsClaim(0)).toBe(true);
	expect(open(24, ADA).contacts.isPending(0)).toBe(false);

	world.seen.isBroken = false;
	expect(await contact(open(24, ADA))).toBe(true);
});

test('a claim that is given up while n8n marks it leaves nothing behind', async () => {
	const [stopped, other] = [open(24, ADA), open(24, ADA)];
	const claiming = resultOf(stopped.ledger);
	while (!other.contacts.isPending(0)) await Promise.resolve();
	stopped.ledger.end(0, failed('notSent'));
	await stopped.ledger.close();
	expect(other.contacts.isPending(0)).toBe(true);

	expect(await claiming).toMatchObject({ failure: { kind: 'stopped', outcome: 'notSent' } });

	expect(other.contacts.isPending(0)).toBe(false);
	expect(world.seen.row).toEqual([]);
	expect(await contact(other)).toBe(true);
});

test('marks are not removed by a run that has given them up before', async () => {
	const [first, second] = [open(24, ADA), open(24, ADA)];
	await send(first.ledger, failed('refused'));
	const claiming = resultOf(second.ledger);
	while (!first.contacts.isPending(0)) await Promise.resolve();
	await first.ledger.close();

	expect(await claiming).toBeUndefined();
	expect(second.contacts.needsClaim(0)).toBe(false);
	await send(second.ledger, accepted);
	await second.ledger.close();
	expect(world.seen.row).toHaveLength(9);
});

test('who is claimed while the marks of a long list are taken back is claimed anew', async () => {
	const numbers = Array.from({ length: 17 }, (_, place) => `+1555010${1_000 + place}`);
	const list = open(24, ...numbers);
	for (const index of numbers.keys()) await send(list.ledger, failed('refused'), index);
	const closing = list.ledger.close();
	const others = numbers.map((toNumber) => open(24, toNumber));
	const known = await Promise.all(others.map(async ({ ledger }) => await send(ledger, accepted)));
	await closing;

	expect(known).toEqual(numbers.map(() => accepted));
	expect(world.seen.row).toHaveLength(9 * numbers.length);
	for (const { ledger } of others) await ledger.close();
});

test.each([1e-6, 1e-16])('%s hours pass fast', async (hours) => {
	await contact(open(hours, ADA), true, HOUR);

	expect(world.seen.row.length).toBeLessThanOrEqual(18);
});
