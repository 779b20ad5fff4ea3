import { failureOf } from '../../../../nodes/shared/delivery/result';
import { accepted, failed } from '../results';
import { ADA, contact, HOUR, startProcess, useWorld, world } from './contactProcess';
import { resultOf } from './openOver';

useWorld();

const open = startProcess();
/** A process that knows only what n8n has kept. */
const openLater = startProcess();

test('while somebody is about to be contacted, others wait, and are woken one at a time in their order', async () => {
	const first = open(24, ADA);
	const others = [open(24, ADA), open(24, ADA), open(24, ADA)];
	const woken: number[] = [];
	expect(await first.ledger.begin(0)).toBe('send');
	for (const [place, { ledger, contacts }] of others.entries()) {
		const beginning = await ledger.begin(0);
		if (beginning === 'send' || !('waitFor' in beginning)) throw new Error('It does not wait');
		void beginning.waitFor.then(() => woken.push(place));
		expect(contacts.isPending(0)).toBe(true);
	}
	expect(first.contacts.isPending(0)).toBe(false);

	for (const [place, { ledger }] of [first, ...others].entries()) {
		expect(woken).toEqual([0, 1, 2].slice(0, place));
		if (ledger !== first.ledger) expect(await ledger.begin(0)).toBe('send');
		ledger.end(0, failed('refused'));
		await new Promise((resolve) => setImmediate(resolve));
	}
});

test('an earlier try of the same execution is no contact', async () => {
	await contact(open(24, ADA));

	const { ledger, contacts } = openLater(24, ADA);
	// As of an item that is sent again.
	const round = contacts.begin([0]);
	const checks = { isOfEarlierTry: () => true, mayBeSent: () => true };
	expect(await round.finish(new Set(world.seen.row), checks)).toBe(true);

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
	const closing = stopped.ledger.close();
	expect(other.contacts.isPending(0)).toBe(true);

	await closing;
	expect(await claiming).toMatchObject({ failure: { kind: 'stopped', outcome: 'notSent' } });

	expect(other.contacts.isPending(0)).toBe(false);
	expect(world.seen.row).toEqual([]);
	expect(await contact(other)).toBe(true);
});

test.each([1e-6, 1e-16])('%s hours pass fast', async (hours) => {
	await contact(open(hours, ADA), true, HOUR);

	expect(world.seen.row.length).toBeLessThanOrEqual(18);
});
