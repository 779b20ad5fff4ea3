import { addSibling, joinSiblings } from '../../../../nodes/shared/delivery/ledger/siblings';
import type { Note } from '../../../../nodes/shared/delivery/ledger/note';

const entry = (id: string, bytes = 0): Note => ({
	id,
	index: 0,
	inputHash: 'i',
	requestHash: 'f',
	accepted: { body: { text: 'x'.repeat(bytes) }, via: 'main', added: {} },
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
