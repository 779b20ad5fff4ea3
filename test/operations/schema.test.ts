import { schemaFlaws } from './schema';

const schema = {
	type: 'object',
	properties: {
		callId: { type: 'string' },
		status: { type: ['string', 'null'] },
		summary: { type: 'null' },
	},
	version: 1,
} as const satisfies Parameters<typeof schemaFlaws>[0];

const UNSHOWN = 'the main row must show every property';
const { summary, ...properties } = schema.properties;
const shown = { ...schema, properties };
const item = { callId: 'c', status: null };

test('an item that is as the schema says has no flaw', () => {
	expect(schemaFlaws(shown, item)).toEqual([]);
});

test.each([
	['is always null in the main row', schema, { ...item, summary: null }, 'summary'],
	['is null in the main row and text in this item', schema, { ...item, summary: 'x' }, 'summary'],
	['is not in the item', shown, { status: 'placed' }, 'callId'],
])('a property that %s is told', (_, of, one, name) => {
	expect(schemaFlaws(of, one)).toEqual([`${name}: ${UNSHOWN} of the output`]);
});

test('a property beyond the schema, which an option adds, is no flaw', () => {
	expect(schemaFlaws(shown, { ...item, summary: 'x' })).toEqual([]);
});

test('a column that only a reference or a rule of contact adds may be missing', () => {
	const columns = {
		reference: { type: 'string' },
		notBefore: { type: 'string' },
	} as const;

	expect(schemaFlaws({ ...shown, properties: { ...properties, ...columns } }, item)).toEqual([]);
});

test('a value of another type is told', () => {
	expect(schemaFlaws(shown, { ...item, callId: 7 })).toEqual(['.callId should be string']);
});
