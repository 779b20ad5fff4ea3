import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { eventKeyOf, readCallEvent } from '../../nodes/AssistantServiceTrigger/callEvent';

const RECEIVED = new Date('2026-01-01T12:00:00Z');
const call = {
	summary: 'Booked.',
	transcript: 'Hi',
	callStartTime: '2026-01-01T10:00:00Z',
	callId: 'c-1',
};

test('what the specification names stands by itself, the rest is in the variables', () => {
	const event = readCallEvent({ ...call, mood: 'good', order: { id: 7 } }, RECEIVED);

	expect(event).toEqual({
		...call,
		variables: { mood: 'good', order: { id: 7 } },
		eventKey: 'c-1',
		receivedAt: '2026-01-01T12:00:00.000Z',
	});
});

test('what is absent is null', () => {
	const { eventKey, ...event } = readCallEvent({}, RECEIVED);

	expect(event).toEqual({
		summary: null,
		transcript: null,
		callStartTime: null,
		callId: null,
		variables: {},
		receivedAt: '2026-01-01T12:00:00.000Z',
	});
	expect(eventKey).toMatch(/^[0-9a-f]{64}$/);
});

test.each<[name: string, value: unknown, taken: unknown]>([
	['summary', '', ''],
	['summary', null, null],
	['summary', 7, undefined],
	['summary', { text: 'Booked.' }, undefined],
	['transcript', [{ role: 'user', text: 'Hi' }], [{ role: 'user', text: 'Hi' }]],
	['transcript', { turns: [] }, { turns: [] }],
	['transcript', 7, undefined],
	['callStartTime', 1767261600, 1767261600],
	['callStartTime', true, undefined],
	['callStartTime', {}, undefined],
	['callId', 17, '17'],
	['callId', ' c-1 ', 'c-1'],
	['callId', 2 ** 53, undefined],
	['callId', 17.5, undefined],
	['callId', null, null],
	['callId', '', undefined],
	['callId', '  ', undefined],
	['callId', ['c-1'], undefined],
])('%s: %j is taken as %j; undefined stands for a variable', (name, value, taken) => {
	const event = readCallEvent({ [name]: value } as IDataObject, RECEIVED);

	expect(event[name]).toEqual(taken ?? null);
	expect(event.variables).toEqual(taken === undefined ? { [name]: value } : {});
});

test.each(['constructor', 'toString', '__proto__', 'eventKey', 'variables', 'receivedAt'])(
	'a variable may be called %s',
	(name) => {
		const body = JSON.parse(`{"callId":"c-1","${name}":{"a":1}}`) as IDataObject;

		const event = readCallEvent(body, RECEIVED);

		expect(JSON.stringify(event.variables)).toBe(`{"${name}":{"a":1}}`);
		expect(event).toMatchObject({ eventKey: 'c-1', receivedAt: '2026-01-01T12:00:00.000Z' });
	},
);

describe('the key of an event', () => {
	test.each<[body: Record<string, unknown>, key: string]>([
		[{ ...call, mood: 'good' }, 'c-1'],
		[{ callId: ' c-1 ' }, 'c-1'],
		[{ callId: 17 }, '17'],
		[{ callId: 0 }, '0'],
	])('of %j is its call', (body, key) => {
		expect(eventKeyOf(body as IDataObject)).toBe(key);
	});

	test.each<[a: Record<string, unknown>, b: Record<string, unknown>]>([
		[{ summary: 'a' }, { summary: 'b' }],
		[{ summary: 'a' }, { transcript: 'a' }],
		[{ turns: [1, 2] }, { turns: [2, 1] }],
		[{ callId: '' }, { callId: null }],
		[{ callId: ['c-1'] }, { callId: 'c-1' }],
		[{ a: { b: 1 } }, { a: { b: '1' } }],
		[JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>, {}],
	])('tells %j from %j', (a, b) => {
		expect(eventKeyOf(a as IDataObject)).not.toBe(eventKeyOf(b as IDataObject));
	});

	/** The same value with the properties of every object the other way round. */
	const reversed = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(reversed);
		if (typeof value !== 'object' || value === null) return value;
		const entries = Object.entries(value).reverse();
		return Object.fromEntries(entries.map(([name, inner]) => [name, reversed(inner)]));
	};

	test('does not depend on the order of properties, nor on when it came', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
				const again = reversed(body) as IDataObject;

				expect(eventKeyOf(again)).toBe(eventKeyOf(body as IDataObject));
				expect(readCallEvent(again, new Date()).eventKey).toBe(eventKeyOf(body as IDataObject));
			}),
		);
	});
});

test('nothing of an event is lost', () => {
	const names = fc.constantFrom(
		'summary',
		'transcript',
		'callStartTime',
		'callId',
		'mood',
		'constructor',
	);
	fc.assert(
		fc.property(fc.dictionary(names, fc.jsonValue()), (body) => {
			const event = readCallEvent(body, RECEIVED);

			for (const [name, value] of Object.entries(body)) {
				const isVariable = Object.hasOwn(event.variables, name);
				const found = isVariable ? event.variables[name] : event[name];
				const isCallId = name === 'callId' && !isVariable && value !== null;
				expect(found).toEqual(isCallId ? `${value as string | number}`.trim() : value);
			}
		}),
	);
});
