import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { readJsonObject } from '../../nodes/AssistantServiceTrigger/body';
import {
	callIdOf,
	DEFAULT_CALL_ID_PROPERTY,
	eventKeyOf,
	isSpoken,
	readCallEvent,
} from '../../nodes/AssistantServiceTrigger/event';
import { read as readFile } from '../repository';

const RECEIVED = new Date('2026-01-01T12:00:00Z');

/** The key of an event whose call's ID is in that property. */
function keyOf(body: IDataObject, property = 'callId'): string {
	const rawBody = Buffer.from(JSON.stringify(body));
	return eventKeyOf(callIdOf(body, property), body, rawBody);
}

/** The output of the trigger for an event whose call's ID is in that property. */
function read(body: IDataObject, property = 'callId') {
	return readCallEvent(body, property, keyOf(body, property), RECEIVED);
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
		...{ summary: null, transcript: null, callStartTime: null, callId: null },
		variables: {},
		receivedAt: '2026-01-01T12:00:00.000Z',
	});
	expect(eventKey).toMatch(/^[0-9a-f]{64}$/);
});

test.each<[value: IDataObject[string], taken: string | null | undefined]>([
	[17, '17'],
	[' c-1 ', 'c-1'],
	['none', 'none'],
	['00', '00'],
	[2 ** 53, undefined],
	[17.5, undefined],
	[['c-1'], undefined],
	[true, undefined],
	...[null, '', '  ', 'N/A', ' n/a ', 'NULL', 'Undefined', ' 0 ', 0].map(
		(none): [IDataObject[string], null] => [none, null],
	),
])('the call ID %j is taken as %j; undefined: it stays a variable', (callId, taken) => {
	const event = read({ callId });

	expect(event.callId).toBe(taken ?? null);
	expect(event.variables).toEqual(taken === undefined ? { callId } : {});
});

test.each(['constructor', 'toString', '__proto__', 'eventKey', 'variables', 'receivedAt'])(
	'a variable may be called %s, and hold the ID',
	(name) => {
		const body = JSON.parse(`{"callId":"c-1","${name}":"s-1"}`) as IDataObject;

		expect(JSON.stringify(read(body).variables)).toBe(`{"${name}":"s-1"}`);
		expect(read(body)).toMatchObject({ eventKey: 'c-1', receivedAt: '2026-01-01T12:00:00.000Z' });
		expect(read(body, name)).toMatchObject({ callId: 's-1', variables: { callId: 'c-1' } });
		expect(read({}, name).callId).toBeNull();
	},
);

test.each<[body: IDataObject, taken: string | null, variables: IDataObject]>([
	[{ call: { id: 7, to: 'x' } }, '7', { call: { id: 7, to: 'x' } }],
	[{ call: { id: 'a' }, 'call.id': 'b' }, 'b', { call: { id: 'a' } }],
	[{ call: { id: 'a' }, 'call.id': 'N/A' }, null, { call: { id: 'a' } }],
	[{ call: 'id' }, null, { call: 'id' }],
	[{ call: [{ id: 'a' }] }, null, { call: [{ id: 'a' }] }],
	[{ call: null, id: 'a' }, null, { call: null, id: 'a' }],
])('the path call.id in %j leads to %j', (body, taken, variables) => {
	expect(read(body, 'call.id')).toMatchObject({ callId: taken, variables });
	expect(Object.keys(read(body, 'call.id').variables)).toEqual(Object.keys(variables));
});

test.each(['call.constructor', 'constructor.name', 'call.__proto__.id', 'call.', '.'])(
	'the path %s leads to nothing that was not sent',
	(path) => {
		expect(read({ call: { id: 'a' } }, path).callId).toBeNull();
	},
);

test('nothing of an event is lost but placeholders for its call ID', () => {
	const names = ['summary', 'transcript', 'callStartTime', 'callId', 'eventKey', 'constructor'];
	const value = fc.oneof(fc.constantFrom(' n/a ', 'null', 0, ' c-1 ', 17), fc.jsonValue());
	const property = fc.constantFrom('callId', 'eventKey', 'constructor', 'not there');
	fc.assert(
		fc.property(fc.dictionary(fc.constantFrom(...names), value), property, (body, callId) => {
			const { variables, ...named } = read(body, callId);
			const event: IDataObject = named;

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

test.each<[transcript: unknown, expected: boolean]>([
	['Hi', true],
	[['', { turns: [{ text: 'Hi' }] }], true],
	[[[], ' ', { text: null }], false],
	...['N/A', ' ', null, 7].map((none): [unknown, boolean] => [none, false]),
])('in the transcript %j somebody speaks: %p', (transcript, expected) => {
	expect(isSpoken(transcript)).toBe(expected);
});

type CallEvent = ReturnType<typeof readCallEvent>;

/** The sample event of the documentation, as a user copies it. */
function documentedSample(): CallEvent {
	const [, text = ''] = /```json\n(.*?)```/s.exec(readFile('docs/trigger.md')) ?? [];
	return JSON.parse(text) as CallEvent;
}

test('the sample event of the documentation is what the trigger puts out', () => {
	const sample = documentedSample();
	const { summary, transcript, callStartTime, callId, variables, eventKey, receivedAt } = sample;
	const body = { summary, transcript, callStartTime, callId, ...variables };

	expect(eventKey).toBe(callId);
	const receivedDate = new Date(receivedAt);
	expect(readCallEvent(body, DEFAULT_CALL_ID_PROPERTY, eventKey, receivedDate)).toEqual(sample);
});

test('the example workflow starts with the sample event when it is tried by hand', () => {
	const example: unknown = JSON.parse(readFile('examples/end-of-call.json'));

	expect(example).toMatchObject({ pinData: { 'Call Ended': [{ json: documentedSample() }] } });
});

const JSON_TYPE = 'application/json';
const raw = (text: string): Buffer => Buffer.from(text);

/** An object that holds another one, and so on, `depth` objects in all. */
function nested(depth: number, inner: unknown = {}): unknown {
	let value = inner;
	for (let level = 1; level < depth; level++) value = { a: value };
	return value;
}

const FORM = 'application/x-www-form-urlencoded';

test.each<[name: string, type: string | undefined, parsed: unknown, body?: string, read?: unknown]>(
	[
		['JSON without a type', undefined, {}, '{"a":"ü"}', { a: 'ü' }],
		['JSON sent as a form', FORM, { '{"a":1}': '' }, '{"a":1}', { a: 1 }],
		['a form', FORM, { a: '1' }, 'a=1'],
		['half a text', undefined, {}, '{"a"'],
		['an empty body', undefined, {}, ''],
		['no body', undefined, { a: 1 }],
		['nothing', JSON_TYPE, undefined],
	],
)('%s', (...[, type, parsed, body, read]) => {
	const bytes = body === undefined ? undefined : raw(body);

	expect(readJsonObject(type, parsed, bytes)).toEqual(read);
});

test.each([
	['objects', nested(200), nested(201)],
	['lists', nested(199, [[]]), nested(199, [[[]]])],
])('%s may be nested 200 deep', (_, allowed, tooDeep) => {
	expect(readJsonObject(JSON_TYPE, allowed, undefined)).toBe(allowed);
	expect(readJsonObject(JSON_TYPE, tooDeep, undefined)).toBeUndefined();
});

test('every body is read or refused', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			const isGood = typeof value === 'object' && value !== null && !Array.isArray(value);
			const expected = isGood ? value : undefined;

			expect(readJsonObject(JSON_TYPE, value, undefined)).toBe(expected);
			const text = JSON.stringify(value);
			const read = readJsonObject('text/plain', {}, raw(text));
			expect(JSON.stringify(read)).toBe(isGood ? text : undefined);
		}),
	);
});
