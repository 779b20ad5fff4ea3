import {
	addSibling,
	growByAnswer,
	joinSiblings,
} from '../../../../nodes/shared/delivery/ledger/siblings';
import type { Note } from '../../../../nodes/shared/delivery/ledger/note';

const entry = (id: string, bytes = 0): Note => ({
	id,
	index: 0,
	inputHash: 'i',
	requestHash: 'f',
	accepted: { body: { text: 'x'.repeat(bytes) }, via: 'main' },
});

test('what was forgotten while it was in use takes no room of the others', () => {
	const inUse = joinSiblings('in use', []);
	joinSiblings('large', [entry('large', 33_000_000)]);
	for (let answer = 0; answer < 4; answer++) addSibling(inUse, entry(`${answer}`, 10_000_000));

	const one = joinSiblings('one', [entry('one')]);
	joinSiblings('another', [entry('another')]);

	expect(joinSiblings('one', [])).toBe(one);
});

test('a run that has no entries counts, too', () => {
	const first = joinSiblings('first of many', []);
	for (let run = 0; run < 70_000; run++) joinSiblings(`empty ${run}`, []);

	expect(joinSiblings('first of many', [])).not.toBe(first);
});

test('the execution that was retried least recently is forgotten first', () => {
	const [one, other] = ['older', 'newer'].map((origin) =>
		joinSiblings(origin, [entry(origin, 20_000)]),
	);
	joinSiblings('older', []);
	joinSiblings('much', [entry('much', 31_970_000)]);
	const [again, otherAgain] = [joinSiblings('older', []), joinSiblings('newer', [])];

	expect([again === one, otherAgain === other]).toEqual([true, false]);
	expect([one?.isForgotten, other?.isForgotten]).toEqual([false, true]);
});

test('an answer counts from when it has come', () => {
	const waiting = entry('waiting', 40_000_000);
	const one = joinSiblings('before the answer', []);
	const siblings = joinSiblings('with an answer', []);
	addSibling(siblings, { ...waiting, accepted: undefined });
	expect(one.isForgotten).toBe(false);

	growByAnswer(siblings, waiting);

	expect([one.isForgotten, siblings.isForgotten]).toEqual([true, false]);
	expect(siblings.bytes).toBeGreaterThan(40_000_000);
});

test('each entry is known once, with the answer that any retry has saved', () => {
	const unanswered = { ...entry('one'), accepted: undefined };
	const first = joinSiblings('saved twice', [unanswered, entry('other')]);
	const second = joinSiblings('saved twice', [
		entry('one'),
		{ ...entry('other'), accepted: undefined },
	]);

	expect(second).toBe(first);
	expect(first.entries.map(({ id, accepted }) => [id, accepted !== undefined])).toEqual([
		['one', true],
		['other', true],
	]);
	expect(first.added).toBe(2);

	const { bytes } = first;
	expect(joinSiblings('saved twice', [entry('one')]).bytes).toBe(bytes);
});
