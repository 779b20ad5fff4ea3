import fc from 'fast-check';

import type * as contactMemory from '../../../../nodes/shared/delivery/memory/contactMemory';
import type * as markStore from '../../../../nodes/shared/delivery/memory/markStore';
import { planOf } from '../../samples';
import { SeenByNode } from './seenByNode';

const HOUR = 3_600_000;
const START = Date.parse('2026-03-02T10:00:00Z');

let nodes = 0;
let seen = new SeenByNode('');
let node = '';
let now = START;
beforeEach(() => {
	node = `node ${++nodes}`;
	seen = new SeenByNode(node);
	now = START;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
	jest.restoreAllMocks();
});

type ContactMemory = contactMemory.ContactMemory;
type Open = (hours: number, ...numbers: string[]) => ContactMemory;

/** The modules as a process of n8n has them. Loading them takes a second. */
function startProcess(): Open {
	type Modules = typeof contactMemory & typeof markStore;
	let modules: Modules | undefined;
	jest.isolateModules(() => {
		modules = {
			...jest.requireActual<Modules>('../../../../nodes/shared/delivery/memory/contactMemory'),
			...jest.requireActual<Modules>('../../../../nodes/shared/delivery/memory/markStore'),
		};
	});
	if (modules === undefined) throw new Error('The modules cannot be loaded');
	const { ContactMemory: Memory, createMarkStore } = modules;
	return (hours, ...numbers) =>
		new Memory(
			createMarkStore(seen.context, numbers.length, 1_000_000),
			node,
			numbers.map((toNumber) =>
				planOf('call.place', { toNumber, contactRules: { notAgainWithin: hours } }),
			),
		);
}

const open = startProcess();
/** A process that knows only what n8n has kept. */
const openLater = startProcess();

const ADA = '+4915112345678';
const BOB = '+4915199999999';

const isNever = (): boolean => false;

/** Contacts the first recipient, unless that was done; true if it was contacted now. */
async function contact(memory: ContactMemory, isContact = true): Promise<boolean> {
	const isClaimed = (await memory.claim([0], isNever)) && memory.has(0);
	memory.settle(0, isContact);
	await memory.close();
	return isClaimed;
}

describe.each([
	['in the same process', open],
	['after a restart', openLater],
])('%s', (_, openAgain) => {
	test('who was contacted is known, and nobody else', async () => {
		await contact(open(24, ADA));
		now += HOUR;

		const memory = openAgain(24, '4915112345678', BOB);
		await memory.claim([0, 1], isNever);

		expect([0, 1].map((index) => memory.has(index))).toEqual([false, true]);
		expect(memory.lastContact(0)).toBeGreaterThanOrEqual(START);
		expect(memory.lastContact(0)).toBeLessThanOrEqual(START + 3 * HOUR);
		expect(memory.lastContact(1)).toBeUndefined();
	});

	test('who was not contacted in the end is free, and leaves no mark', async () => {
		await contact(open(24, ADA), false);

		expect(seen.row).toEqual([]);
		expect(await contact(openAgain(24, ADA))).toBe(true);
	});

	test('a second claim takes over what the first one gave up', async () => {
		const memory = open(24, ADA, ADA);
		await memory.claim([0], isNever);
		memory.settle(0, false);
		await memory.claim([1], isNever);
		memory.settle(1, true);
		await memory.close();
		now += 23 * HOUR;

		const after = openAgain(24, ADA);
		await after.claim([0], isNever);

		expect(seen.row.length).toBeGreaterThanOrEqual(9);
		expect(after.lastContact(0)).toBeGreaterThanOrEqual(START);
	});

	test('a contact that was sent long after it was claimed counts from then', async () => {
		const memory = open(1, ADA);
		await memory.claim([0], isNever);
		now += 0.5 * HOUR;
		memory.sending(0);
		memory.settle(0, true);
		await memory.close();
		now += 0.99 * HOUR;

		const after = openAgain(1, ADA);
		await after.claim([0], isNever);

		expect(after.lastContact(0)).toBeGreaterThanOrEqual(START + 0.5 * HOUR);
	});
});

test('after a restart a contact counts for its hours, and at most an eighth longer', async () => {
	const cases = fc.record({
		hours: fc.constantFrom(0.5, 1, 24, 100, 8_760),
		begin: fc.double({ min: 0, max: 1, noNaN: true }),
		passed: fc.double({ min: 0, max: 1.3, noNaN: true }),
	});
	await fc.assert(
		fc.asyncProperty(cases, async ({ hours, begin, passed }) => {
			node = `node ${++nodes}`;
			seen = new SeenByNode(node);
			const contactedAt = Math.floor(START + begin * hours * HOUR);
			now = contactedAt;
			await contact(open(hours, ADA));
			now = Math.floor(contactedAt + passed * hours * HOUR);

			const memory = openLater(hours, ADA);
			await memory.claim([0], isNever);
			const until = (memory.lastContact(0) ?? 0) + hours * HOUR;
			const isFree = memory.has(0);
			await memory.close();

			if (isFree) expect(now).toBeGreaterThanOrEqual(contactedAt + hours * HOUR);
			else {
				expect(until).toBeGreaterThan(now);
				expect(until).toBeGreaterThanOrEqual(contactedAt + hours * HOUR);
				expect(until).toBeLessThanOrEqual(contactedAt + (9 / 8) * hours * HOUR + 1);
				// What was asked for is no contact.
				expect(seen.row).toHaveLength(9);
			}
		}),
		{ numRuns: 60 },
	);
});

test('an earlier try of the same execution is no contact', async () => {
	await contact(open(24, ADA));

	const memory = openLater(24, ADA);
	await memory.claim([0], () => true);

	expect(memory.has(0)).toBe(true);
});

test('while somebody is about to be contacted, others wait for the result', async () => {
	const [first, second] = [open(24, ADA), open(24, ADA)];
	await first.claim([0], isNever);
	const isPending = second.isPending(0);
	const turn = second.waitForTurn(0);

	expect(first.isPending(0)).toBe(false);
	first.settle(0, true);
	await turn;

	expect(isPending).toBe(true);
	expect(second.isPending(0)).toBe(false);
	expect(second.lastContact(0)).toBe(START);
	await first.close();
});

test('nothing is claimed while n8n cannot keep marks, and nobody waits for it', async () => {
	const memory = open(24, ADA);
	seen.isBroken = true;

	expect(await memory.claim([0], isNever)).toBe(false);
	expect(memory.has(0)).toBe(false);
	expect(open(24, ADA).isPending(0)).toBe(false);

	seen.isBroken = false;
	expect(await contact(open(24, ADA))).toBe(true);
});

test('a claim that is given up while n8n marks it leaves nothing behind', async () => {
	const [stopped, other] = [open(24, ADA), open(24, ADA)];
	const claiming = stopped.claim([0], isNever);
	while (!other.isPending(0)) await Promise.resolve();
	stopped.settle(0, false);
	await stopped.close();
	expect(other.isPending(0)).toBe(true);

	await claiming;

	expect(other.isPending(0)).toBe(false);
	expect(seen.row).toEqual([]);
	expect(await contact(other)).toBe(true);
});

test('an item of a stretch that is still being claimed is not claimed yet', async () => {
	const memory = open(24, ADA, BOB);
	const claiming = memory.claim([0, 1], isNever);
	while (!open(24, BOB).isPending(0)) await Promise.resolve();

	expect(memory.has(1)).toBe(false);
	expect(memory.isPending(1)).toBe(false);
	await claiming;
	expect(memory.has(1)).toBe(true);
	await memory.close();
});

test('marks are not removed by a run that has given them up before', async () => {
	const [first, second] = [open(24, ADA), open(24, ADA)];
	await first.claim([0], isNever);
	first.settle(0, false);
	const claiming = second.claim([0], isNever);
	while (!first.isPending(0)) await Promise.resolve();
	await first.close();
	await claiming;

	expect(second.has(0)).toBe(true);
	second.settle(0, true);
	await second.close();
	expect(seen.row).toHaveLength(9);
});

test.each([1e-6, 1e-16])('%s hours pass fast', async (hours) => {
	const memory = open(hours, ADA);
	await memory.claim([0], isNever);
	now += HOUR;
	memory.sending(0);
	memory.settle(0, true);
	await memory.close();

	expect(seen.row.length).toBeLessThanOrEqual(18);
});
