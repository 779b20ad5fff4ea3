import fc from 'fast-check';

import { recipientNumber } from '../../nodes/shared/declaration/phoneNumber';
import { isListed, readNumbers } from '../../nodes/shared/rules/doNotContact';
import { useBookWorld } from '../engine/contactBook';
import { CONTINUE } from '../engine/contacts';
import { recipientOf } from '../simulator/recipient';
import { valueOf } from '../shared/samples';
import { DIGITS, listsWith, MARKED_COLUMN, NUMBER, REFUSED, SAME, SPELLINGS } from './spellings';

const { simulator, calls, outputs, add } = useBookWorld();

test('a column with every spelling: the number is called where it is known, and no other one is', async () => {
	const items = SPELLINGS.map(([, spell]) => ({ to: spell(DIGITS) as string | number }));

	const output = await outputs(calls(items, {}, CONTINUE));

	const isKnown = SAME.map(([report]) => report);
	for (const [index, [report]] of SPELLINGS.entries()) {
		const { error, details, toNumber } = output[index] ?? {};
		const refused = { error: expect.any(String) as string, details: { outcome: 'notSent' } };
		const expected = isKnown.includes(report) ? { toNumber: NUMBER } : refused;
		expect({ report, error, details, toNumber }).toMatchObject({ report, ...expected });
	}
	const called = simulator().processed('placeCall').map(recipientOf);
	expect(called).toEqual(SAME.map(() => NUMBER));
});

const digits = fc.stringMatching(/^[1-9]\d{6,14}$/);

test.each(SPELLINGS)('%s: whatever the number is, no other one is called', (_, spell) => {
	fc.assert(
		fc.property(digits, (number) => {
			expect(['refused', `+${number}`]).toContain(valueOf(recipientNumber, spell(number)));
		}),
	);
});

test.each(SPELLINGS)('%s: on a list the person is found, or nobody is called', (_, spell) => {
	fc.assert(
		fc.property(digits, digits, (number, other) => {
			for (const list of listsWith(other, spell(number))) {
				const read = readNumbers(list);
				expect(read.kind !== 'read' || isListed(read.value, `+${number}`)).toBe(true);
			}
		}),
	);
});

test.each(SPELLINGS)('%s: in a row with doNotContact, too', async (report, spell) => {
	add({ phone: String(spell(DIGITS)), doNotContact: true });

	const [json] = await outputs(calls([{ to: NUMBER }], {}, CONTINUE));

	expect(json?.reason ?? json?.details).toEqual(
		REFUSED.some(([name]) => name === report)
			? expect.objectContaining({ outcome: 'notSent' })
			: 'doNotContact',
	);
	expect(simulator().requests).toEqual([]);
});

test('a column that begins with a byte-order mark is no number, and is named', async () => {
	const [json] = await outputs(calls([{ [MARKED_COLUMN]: NUMBER }], {}, CONTINUE));

	expect(json?.error).toBe('To Number is empty (row 1); the item has "\\ufeffto"');
	expect(simulator().requests).toEqual([]);
});
