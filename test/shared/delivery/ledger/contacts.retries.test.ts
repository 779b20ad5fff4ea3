import type { OpenLedger } from '../../../../nodes/shared/delivery/ledger/open';
import { accepted, failed } from '../results';
import { ADA, BOB, HOUR, startProcess, useWorld, world } from './contactProcess';
import { resultOf } from './openOver';

useWorld();

const SEND_AGAIN = { options: { ifOutcomeUnknown: 'sendAgain' } };
const RETRY = { isRetry: true };

/** A process that dies, others with retries of its execution, and one with another execution. */
const openFirst = startProcess({});
const openRetry = startProcess(RETRY);
const openSendAgain = startProcess(RETRY, SEND_AGAIN);
const openAnother = startProcess({ origin: 'e2' });

const HELD_BACK = { heldBack: { reason: 'contactedRecently' } };

/** n8n has called somebody, and died. */
async function die(...numbers: string[]): Promise<void> {
	const { ledger } = openFirst(24, ...numbers);
	await resultOf(ledger);
	ledger.aboutToSend(0);
}

test('a retry that contacts nobody asks for no marks of contacts', async () => {
	await die(ADA);
	const before = [...world.seen.row];
	world.now += 20 * HOUR;

	const { ledger } = openRetry(24, ADA);

	expect(await resultOf(ledger)).toMatchObject({ failure: { outcome: 'unknown' } });
	// And the mark by which the retry claims its items.
	expect(world.seen.row).toEqual([...before, expect.any(String)]);
});

test('a retry that contacts nobody, long after, puts nothing off', async () => {
	await die(ADA);
	world.now += 30 * HOUR;
	const retry = openRetry(24, ADA);
	retry.ledger.end(0, (await resultOf(retry.ledger)) ?? failed('notSent'));
	await retry.ledger.close();

	expect(await resultOf(openAnother(24, ADA).ledger)).toBeUndefined();
});

test('a contact by a retry counts in full, also if another one of the process finds it was made', async () => {
	await die(ADA);
	world.now += HOUR;
	const [one, other] = [openSendAgain(24, ADA), openSendAgain(24, ADA)];
	expect(await resultOf(one.ledger)).toBeUndefined();
	world.now += 4 * HOUR;
	one.ledger.aboutToSend(0);
	one.ledger.end(0, accepted);
	expect(await resultOf(other.ledger)).toBeUndefined();
	other.ledger.end(0, other.ledger.aboutToSend(0) ?? failed('notSent'));
	await one.ledger.close();
	await other.ledger.close();

	world.now += 23.9 * HOUR;
	expect(await resultOf(openAnother(24, ADA).ledger)).toMatchObject(HELD_BACK);
});

test('a retry that claims somebody and does not send keeps whom an earlier try without rules may have contacted', async () => {
	const { ledger } = openFirst(0, ADA);
	await resultOf(ledger);
	ledger.aboutToSend(0);
	const stopped = openSendAgain(24, ADA);
	expect(await resultOf(stopped.ledger)).toBeUndefined();
	stopped.ledger.end(0, failed('notSent'));
	await stopped.ledger.close();

	world.now += 23 * HOUR;
	expect(await resultOf(openAnother(24, ADA).ledger)).toMatchObject(HELD_BACK);
});

test('a retry that stops at its first item puts off nobody of the others, long after', async () => {
	await die(ADA, BOB);
	world.now += 48 * HOUR;
	const { ledger } = openSendAgain(24, ADA, BOB);
	expect(await resultOf(ledger)).toBeUndefined();
	ledger.aboutToSend(0);
	ledger.end(0, failed('refused'));
	ledger.end(1, failed('notSent'));
	await ledger.close();

	expect(await resultOf(openAnother(24, BOB).ledger)).toBeUndefined();
});

test('a request that is refused does not put off when the person may be contacted again', async () => {
	await die(ADA);
	world.now += 23 * HOUR;
	const { ledger } = openSendAgain(24, ADA);
	expect(await resultOf(ledger)).toBeUndefined();
	ledger.aboutToSend(0);
	ledger.end(0, failed('refused'));
	await ledger.close();

	world.now += 5 * HOUR;
	expect(await resultOf(openAnother(24, ADA).ledger)).toBeUndefined();
});

describe('a retry with Send Again contacts somebody once who is listed twice', () => {
	const contactFirst = async ({ ledger }: OpenLedger) => {
		expect(await resultOf(ledger, 0)).toBeUndefined();
		ledger.aboutToSend(0);
		ledger.end(0, accepted);
		expect(await resultOf(ledger, 1)).toMatchObject(HELD_BACK);
	};

	test('also if the node runs again, in the same execution or after a restart', async () => {
		const saved = {};
		await die(ADA, ADA);
		const process = startProcess({ ...RETRY, saved }, SEND_AGAIN);
		const first = process(24, ADA, ADA);
		await contactFirst(first);
		await first.ledger.close();

		for (const open of [process, startProcess({ ...RETRY, saved }, SEND_AGAIN)]) {
			const { ledger } = open(24, ADA, ADA);
			expect(await resultOf(ledger, 0)).toEqual(accepted);
			expect(await resultOf(ledger, 1)).toMatchObject(HELD_BACK);
		}
	});

	test('also if its answer was lost in both rows before there was a rule', async () => {
		const saved = {};
		const { ledger } = startProcess({ saved })(0, ADA, ADA);
		for (const index of [0, 1]) {
			await resultOf(ledger, index);
			ledger.aboutToSend(index);
			ledger.end(index, failed('unknown'));
		}
		await ledger.close();

		await contactFirst(startProcess({ ...RETRY, saved }, SEND_AGAIN)(24, ADA, ADA));
	});
});
