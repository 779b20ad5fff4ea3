import { MAX_SHOWN, nameOf } from '../../../nodes/shared/rules/person';

const toNumber = '+4915112345678';
const known = { toNumber, reference: 'crm-4711' };

test('a name is one line, and not long', () => {
	expect(nameOf({ toNumber })).toBe(toNumber);
	expect(nameOf(known)).toBe(`${toNumber} (crm-4711)`);
	expect(nameOf({ toNumber, reference: 'crm\r\n  4711' })).toBe(`${toNumber} (crm 4711)`);
	expect(nameOf({ toNumber, reference: 'x'.repeat(1_000) })).toBe(
		`${toNumber} (${'x'.repeat(MAX_SHOWN)})`,
	);
});
