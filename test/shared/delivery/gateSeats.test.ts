import type { ItemTurns, Lane } from '../../../nodes/shared/delivery/lane';
import { enter, open, pass, refusedFor, TAKEN, upTo, useFakeClock, Gate } from './gateRequests';

useFakeClock();

/** An item that waits for its turn; notes its place and what became of it. */
function take(turns: ItemTurns, log: string[]): ItemTurns {
	void turns.take().then((turn) => log.push(`${turns.index} ${turn}`));
	return turns;
}

/** Items of a run with two seats that wait for their turns, in this order. */
function enterMany(places: readonly number[], lane: Lane) {
	const log: string[] = [];
	const items = new Map(places.map((place) => [place, take(enter(lane, place), log)]));
	const itemAt = (place: number): ItemTurns => {
		const item = items.get(place);
		if (item === undefined) throw new Error(`No item has the place ${place}`);
		return item;
	};
	return { log, itemAt };
}

const twoSeats = (signal = new AbortController().signal): Lane =>
	open(new Gate(), { maxConcurrentRequests: 2, signal });

describe('the seats of a run', () => {
	test('so many items are under way, and an item that leaves makes room for one', async () => {
		const { log, itemAt } = enterMany(upTo(5), twoSeats());
		await pass(0);
		expect(log).toEqual(['0 start', '1 start']);

		itemAt(0).use(Date.now(), TAKEN);
		itemAt(0).leave();
		await pass(0);

		expect(log).toEqual(['0 start', '1 start', '2 start']);
	});

	test('an item keeps its seat while it waits for something', async () => {
		const { log, itemAt } = enterMany(upTo(3), twoSeats());
		await pass(0);
		itemAt(0).use(Date.now(), TAKEN);
		itemAt(0).giveBack();
		await pass(5_000);
		expect(log).toEqual(['0 start', '1 start']);

		take(itemAt(0), log);
		await pass(0);

		expect(log).toEqual(['0 start', '1 start', '0 start']);
	});

	test('an item that takes another turn gives back the one that it has used', async () => {
		const turns = enter(twoSeats(), 0);
		const log: string[] = [];
		for (let request = 0; request < 50; request++) {
			take(turns, log);
			await pass(0);
			turns.use(Date.now(), { kind: 'unknown' });
		}

		expect(log).toEqual(Array(50).fill('0 start'));
	});

	test('an item that may not start leaves its seat to another', async () => {
		const lane = open(new Gate(), { maxConcurrentRequests: 1 });
		const heldBack = lane.enter(0, 600_000, () => false);
		const turn = heldBack.take();
		const { log } = enterMany([1], lane);
		expect(await turn).toBe('barred');
		await pass(0);
		expect(log).toEqual([]);

		heldBack.leave();
		await pass(0);

		expect(log).toEqual(['1 start']);
	});

	test('whoever waits for one waits no longer when the run is stopped', async () => {
		const halt = new AbortController();
		const { log } = enterMany(upTo(4), twoSeats(halt.signal));
		await pass(0);
		halt.abort();
		await pass(0);

		expect(log).toEqual(['0 start', '1 start', '2 stopped', '3 stopped']);
	});

	test('Max Wait of an item does not begin before there is a seat for it', async () => {
		const lane = open(new Gate(), { maxConcurrentRequests: 1 });
		const first = enter(lane, 0);
		await first.take();
		const log: string[] = [];
		take(enter(lane, 1, 10_000), log);
		first.use(Date.now(), refusedFor(20_000));
		first.giveBack();
		await pass(19_000);
		expect(log).toEqual([]);

		first.leave();
		await pass(2_000);

		expect(log).toEqual(['1 start']);
	});
});
