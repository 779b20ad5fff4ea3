import type { OpenLedger } from '../../../../nodes/shared/delivery/ledger/open';
import { mayHaveBeenSent, type RunResult } from '../../../../nodes/shared/delivery/result';
import { planOf, type Values } from '../../samples';
import { emptyStore } from '../emptyStore';
import { accepted, failed } from '../results';
import { openOver } from './openOver';

let nodes = 0;
let node = '';
let now = 0;
beforeEach(() => {
	node = `waiting node ${++nodes}`;
	now = Date.parse('2026-03-02T10:00:00Z');
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
	jest.restoreAllMocks();
});

/** A run of one call to the same person as the others of the test. */
class Run {
	readonly opened: OpenLedger;

	readonly cancel = new AbortController();

	/** True when its wait is over. */
	isWoken = false;

	constructor(rules: Values = {}) {
		const plan = planOf('call.place', { contactRules: { notAgainWithin: 24, ...rules } });
		const { signal } = this.cancel;
		this.opened = openOver(emptyStore, [plan], { nodeId: node, signal, cancel: signal });
	}

	async begin(): Promise<RunResult | 'send' | 'wait'> {
		const beginning = await this.opened.ledger.begin(0);
		if (beginning === 'send') return 'send';
		if ('result' in beginning) return beginning.result;
		this.isWoken = false;
		void beginning.waitFor.then(() => {
			this.isWoken = true;
		});
		return 'wait';
	}

	end(result: RunResult): void {
		const { ledger } = this.opened;
		if (mayHaveBeenSent(result)) ledger.aboutToSend(0);
		ledger.end(0, result);
	}

	/** Begins, and ends at once with why it is not sent. */
	async giveUp(): Promise<RunResult> {
		const result = await this.begin();
		if (typeof result === 'string') throw new Error(`It is to ${result}`);
		this.end(result);
		return result;
	}
}

/** Lets everything happen that waits for nothing but its turn. */
const settled = async (): Promise<void> => {
	await new Promise((resolve) => setImmediate(resolve));
};

/** A run that calls a person, and others that wait for it. */
async function runsInLine(count: number, rules: readonly Values[] = []): Promise<Run[]> {
	const runs = Array.from({ length: count }, (_, place) => new Run(rules[place]));
	const begun = [];
	for (const run of runs) begun.push(await run.begin());
	expect(begun).toEqual(['send', ...Array<string>(count - 1).fill('wait')]);
	return runs;
}

const wokenOf = async (runs: readonly Run[]): Promise<boolean[]> => {
	await settled();
	return runs.map(({ isWoken }) => isWoken);
};

const [NOT_SENT, RECENT] = [
	{ failure: { kind: 'stopped', outcome: 'notSent' } },
	{ heldBack: { reason: 'contactedRecently' } },
];

function threeOf<T>(all: readonly T[]): [T, T, T] {
	const [first, second, third] = all;
	if (first === undefined || second === undefined || third === undefined)
		throw new Error('There are fewer than three');
	return [first, second, third];
}

test('while somebody is about to be contacted, others wait for the result', async () => {
	const [first, second] = [new Run(), new Run()];
	expect(await first.begin()).toBe('send');
	const begun = await second.begin();

	expect(begun).toBe('wait');
	expect(second.opened.contacts.isPending(0)).toBe(true);
	expect(first.opened.contacts.isPending(0)).toBe(false);
	expect(await wokenOf([second])).toEqual([false]);
	first.end(accepted);

	expect(await wokenOf([second])).toEqual([true]);
	expect(second.opened.contacts.isPending(0)).toBe(false);
	expect(second.opened.contacts.history(0, false).contacts[0]).toBe(now);
	expect(await second.giveUp()).toMatchObject(RECENT);
	await first.opened.ledger.close();
});

test('those that wait are woken one at a time, in their order', async () => {
	const runs = await runsInLine(4);
	const woken = [];
	for (const run of runs) {
		run.end(failed('refused'));
		woken.push(await wokenOf(runs.slice(1)));
		const next = runs[woken.length];
		if (next) expect(await next.begin()).toBe('send');
		expect(await wokenOf(runs.slice(1))).toEqual(woken.at(-1));
	}

	expect(woken.slice(0, 3)).toEqual([
		[true, false, false],
		[true, true, false],
		[true, true, true],
	]);
});

test('one that is woken after a contact is held back, and passes its turn on', async () => {
	const [first, second, third] = threeOf(await runsInLine(3));
	first.end(accepted);

	expect(await wokenOf([second, third])).toEqual([true, false]);
	expect(await second.giveUp()).toMatchObject(RECENT);
	expect(await wokenOf([second, third])).toEqual([true, true]);
	expect(await third.giveUp()).toMatchObject(RECENT);
});

describe('a run that is cancelled', () => {
	test('while it claims passes its turn on', async () => {
		const [first, second, third] = threeOf(await runsInLine(3));
		first.end(failed('refused'));
		await settled();
		const claiming = second.begin();
		while (!third.opened.contacts.isPending(0)) await Promise.resolve();
		second.cancel.abort();
		const result = await claiming;

		expect(result).toMatchObject(NOT_SENT);
		if (typeof result === 'object') second.end(result);
		expect(await wokenOf([third])).toEqual([true]);
		expect(await third.begin()).toBe('send');
	});
});

test('one that comes before the one that was woken is waited for, and nobody is left waiting', async () => {
	const [first, second, third] = threeOf(await runsInLine(3));
	first.end(failed('refused'));
	expect(await wokenOf([second, third])).toEqual([true, false]);
	const newcomer = new Run();
	expect(await newcomer.begin()).toBe('send');
	expect(await second.begin()).toBe('wait');
	newcomer.end(failed('refused'));

	const line = [third, second];
	for (const run of line) {
		expect(await wokenOf([run])).toEqual([true]);
		expect(await run.begin()).toBe('send');
		run.end(failed('refused'));
	}
});
