import fc from 'fast-check';

import { MarkAges } from '../../../../nodes/shared/delivery/ledger/markAges';

const DAY = 86_400_000;
const KEPT_DAYS = 15;
const MOST = 500;

/** A node's marks in n8n's database by the day of their making, the oldest first, and the process that writes them. */
class Row {
	marks: number[] = [];

	/** In days. */
	now = 20_000.3;

	private ages = new MarkAges();

	/** @returns the marks that this write has cut off */
	async write(count: number): Promise<number[]> {
		const bound = await this.ages.bound(
			this.now * DAY,
			KEPT_DAYS,
			async () => await Promise.resolve(this.marks.length),
		);
		const most = Math.min(MOST, bound + count);
		const all = [...this.marks, ...Array<number>(count).fill(this.now)];
		this.marks = all.slice(-most);
		this.ages.wrote(count, most);
		return all.slice(0, all.length - this.marks.length);
	}

	remove(place: number): void {
		if (this.marks.length === 0) return;
		this.marks.splice(place % this.marks.length, 1);
		this.ages.removed(1);
	}

	/** Another process adds marks, and cuts off none, or so many. */
	writeElsewhere(count: number, cut: number): void {
		this.marks = [...this.marks.slice(cut), ...Array<number>(count).fill(this.now)];
	}

	restart(): void {
		this.ages = new MarkAges();
	}
}

const writes = fc.record({ kind: fc.constant('write' as const), count: fc.nat(20) });
const waits = fc.record({
	kind: fc.constant('wait' as const),
	days: fc.double({ min: 0, max: 6, noNaN: true }),
});
const others = fc.oneof(
	fc.record({ kind: fc.constant('restart' as const) }),
	fc.record({ kind: fc.constant('remove' as const), place: fc.nat() }),
	fc.record({ kind: fc.constant('elsewhere' as const), count: fc.nat(20), cut: fc.nat(20) }),
);

async function play(
	row: Row,
	steps: readonly (typeof anyStep extends fc.Arbitrary<infer T> ? T : never)[],
) {
	const cut: { age: number; rowWas: number }[] = [];
	for (const step of steps) {
		if (step.kind === 'wait') row.now += step.days;
		else if (step.kind === 'restart') row.restart();
		else if (step.kind === 'remove') row.remove(step.place);
		else if (step.kind === 'elsewhere') row.writeElsewhere(step.count, step.cut);
		else {
			const rowWas = row.marks.length + step.count;
			for (const day of await row.write(step.count)) cut.push({ age: row.now - day, rowWas });
		}
	}
	return cut;
}

const anyStep = fc.oneof(
	{ weight: 5, arbitrary: writes },
	{ weight: 5, arbitrary: waits },
	{ weight: 2, arbitrary: others },
);

test('no mark is cut off before its time, whoever else writes, unless there are too many', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(anyStep, { maxLength: 80 }), async (steps) => {
			const cut = await play(new Row(), steps);
			expect(cut.filter(({ age, rowWas }) => age < KEPT_DAYS && rowWas <= MOST)).toEqual([]);
		}),
		{ numRuns: 500 },
	);
});

test('a process that runs on alone leaves none but those of the last days', async () => {
	const alone = fc.oneof(writes, waits);
	await fc.assert(
		fc.asyncProperty(fc.array(alone, { minLength: 1, maxLength: 80 }), async (steps) => {
			const row = new Row();
			await play(row, steps);
			row.now += 1;
			await row.write(1);

			expect(row.marks.filter((day) => row.now - day > KEPT_DAYS + 1)).toEqual([]);
		}),
	);
});

test('what a process finds when it starts stays for as many days', async () => {
	const row = new Row();
	await row.write(10);
	row.now += 30;
	row.restart();
	await row.write(1);
	row.now += KEPT_DAYS;
	await row.write(1);
	expect(row.marks).toHaveLength(12);

	row.now += 1;
	await row.write(1);
	expect(row.marks).toHaveLength(2);
});
