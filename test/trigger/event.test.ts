import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	eventKeyOf,
	isRecognisable,
	readCallEvent,
	type CallEvent,
} from '../../nodes/AssistantServiceTrigger/event';

const RECEIVED = new Date('2026-01-01T12:00:00Z');

/** The key of an event whose call's ID is in `callId`. */
const keyOf = (body: unknown): string => eventKeyOf(body as IDataObject, 'callId');

/** The output of the trigger for an event whose call's ID is in that property. */
function read(body: unknown, property: string | null = 'callId'): CallEvent {
	const event = body as IDataObject;
	return readCallEvent(event, property, eventKeyOf(event, property), RECEIVED);
}

const call = {
	summary: 'Booked.',
	transcript: 'Hi',
	callStartTime: '2026-01-01T10:00:00Z',
	callId: 'c-1',
};

test('what the specification names stands by itself, the rest is in the variables', () => {
	const event = read({ ...call, mood: 'good', order: { id: 7 } });

	expect(event).toEqual({
		...call,
		variables: { mood: 'good', order: { id: 7 } },
		eventKey: 'c-1',
		receivedAt: '2026-01-01T12:00:00.000Z',
	});
});

test('what is absent is null', () => {
	const { eventKey, ...event } = read({});

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
	['callId', '', null],
	['callId', '  ', null],
	['callId', ' N/a ', null],
	['callId', 0, null],
	['callId', ['c-1'], undefined],
	['callId', true, undefined],
])('%s: %j is taken as %j; undefined stands for a variable', (name, value, taken) => {
	const event = read({ [name]: value });

	expect(event[name]).toEqual(taken ?? null);
	expect(event.variables).toEqual(taken === undefined ? { [name]: value } : {});
});

test.each(['constructor', 'toString', '__proto__', 'eventKey', 'variables', 'receivedAt'])(
	'a variable may be called %s',
	(name) => {
		const body = JSON.parse(`{"callId":"c-1","${name}":{"a":1}}`) as IDataObject;

		const event = read(body);

		expect(JSON.stringify(event.variables)).toBe(`{"${name}":{"a":1}}`);
		expect(event).toMatchObject({ eventKey: 'c-1', receivedAt: '2026-01-01T12:00:00.000Z' });
	},
);

describe('the key of an event', () => {
	test.each<[a: Record<string, unknown>, b: Record<string, unknown>]>([
		[{ summary: 'a' }, { summary: 'b' }],
		[{ summary: 'a' }, { transcript: 'a' }],
		[{ turns: [1, 2] }, { turns: [2, 1] }],
		[{ callId: '' }, { callId: null }],
		[{ callId: ['c-1'] }, { callId: 'c-1' }],
		[{ a: { b: 1 } }, { a: { b: '1' } }],
		[JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>, {}],
	])('tells %j from %j', (a, b) => {
		expect(keyOf(a)).not.toBe(keyOf(b));
	});

	test('is not the ID of its call where bytes of it could not be decoded', () => {
		const [one, other] = [Buffer.from('c\xe8', 'latin1'), Buffer.from('c\xe9', 'latin1')];
		const id = one.toString('utf8');

		expect(other.toString('utf8')).toBe(id);
		expect(read({ callId: id })).toMatchObject({ callId: null, variables: { callId: id } });
		for (const body of [{ callId: id, transcript: 'Hi' }, { transcript: [{ text: id }] }]) {
			const keyOfBytes = (bytes: Buffer) => eventKeyOf(body, 'callId', bytes);
			expect(keyOfBytes(one)).toBe(keyOfBytes(one));
			expect(keyOfBytes(one)).not.toBe(keyOfBytes(other));
		}
	});

	/** The same value with the properties of every object the other way round. */
	const reversed = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(reversed);
		if (typeof value !== 'object' || value === null) return value;
		const entries = Object.entries(value).reverse();
		return Object.fromEntries(entries.map(([name, inner]) => [name, reversed(inner)]));
	};

	test('does not depend on the order of properties', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
				const again = reversed(body);

				expect(keyOf(again)).toBe(keyOf(body));
			}),
		);
	});
});

test('nothing of an event is lost but placeholders for its call ID', () => {
	const names = ['summary', 'transcript', 'callStartTime', 'callId', 'eventKey', 'constructor'];
	const value = fc.oneof(fc.constantFrom(' n/a ', 'null', 0, ' c-1 ', 17), fc.jsonValue());
	const property = fc.constantFrom('callId', 'eventKey', 'constructor', null);
	fc.assert(
		fc.property(fc.dictionary(fc.constantFrom(...names), value), property, (body, callId) => {
			const { variables, ...event } = read(body, callId);

			for (const [name, given] of Object.entries(body)) {
				if (Object.hasOwn(variables, name)) expect(variables[name]).toBe(given);
				else if (name !== callId) expect(event[name]).toBe(given);
				else {
					const text = `${given as string | number}`.trim();
					const isPlaceholder = ['', 'n/a', 'null', 'undefined', '0'].includes(text.toLowerCase());
					expect(event.callId).toBe(isPlaceholder ? null : text);
				}
			}
		}),
	);
});

test.each<[body: IDataObject, property: string | null, expected: boolean]>([
	[{}, 'callId', false],
	[{ summary: 'No answer.', callStartTime: '2026-01-01T10:00:00Z' }, 'callId', false],
	[{ callId: 'N/A', transcript: ' ' }, 'callId', false],
	[{ callId: 'c-1' }, 'callId', true],
	[{ callId: 'c-1' }, 'sid', false],
	[{ callId: 'c-1' }, null, false],
	[{ transcript: 'Hi' }, null, true],
	[{ transcript: ['', { turns: [{ text: 'Hi' }] }] }, 'callId', true],
	[{ transcript: { turns: [], seconds: 12, isAnswered: false } }, 'callId', false],
	[{ transcript: [[], ' ', { text: null }] }, 'callId', false],
	...[7, true, {}, []].map((transcript): [IDataObject, string, boolean] => [
		{ transcript },
		'callId',
		false,
	]),
])('%j with the ID in %j can be told from others: %p', (body, property, expected) => {
	expect(isRecognisable(body, property)).toBe(expected);
});

describe('the key of an event without an ID', () => {
	const LARGEST = Number.MAX_SAFE_INTEGER;
	/** Whether it ignores the order of the properties of such an event. */
	const ignoresOrder = (body: IDataObject): boolean => {
		const [key, other] = [body, Object.fromEntries(Object.entries(body).reverse())].map((one) =>
			eventKeyOf(one, null, Buffer.from(JSON.stringify(one))),
		);
		return key === other;
	};
	/** An event of so many bytes. */
	const ofSize = (bytes: number): IDataObject => ({
		summary: 'x'.repeat(bytes - '{"summary":"","mood":1}'.length),
		mood: 1,
	});

	test.each<[string, IDataObject, boolean]>([
		['an event that is read exactly', { summary: 'a', turns: [{ at: LARGEST }, -LARGEST] }, true],
		['a number that may be rounded', { summary: 'a', turns: [{ at: LARGEST + 1 }] }, false],
		['a negative one', { summary: 'a', turns: { at: -LARGEST - 1 } }, false],
		['a text that was not UTF-8', { summary: 'a', turns: ['ok', 'c\ufffd'] }, false],
		['1 MB', ofSize(1_000_000), true],
		['more than 1 MB', ofSize(1_000_001), false],
	])('of %s', (_, body, isSorted) => {
		expect(ignoresOrder(body)).toBe(isSorted);
	});
});
