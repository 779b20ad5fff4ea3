import fc, { type Arbitrary } from 'fast-check';
import { deflateSync, gzipSync } from 'node:zlib';
import { formBody, xmlBody } from './fuzzForms';

/** How a body must be taken, where that can be told; n8n itself refuses what is `unparsable`. */
export type Verdict = 'object' | 'notObject' | 'unparsable' | 'any';

export type Header = readonly [name: string, value: string];

export interface FuzzBody {
	headers: Header[];
	bytes: Buffer;
	verdict: Verdict;
	/** Whether its compression can be undone; n8n itself answers 500 if not. */
	isReadable: boolean;
	/** When the sender leaves, if n8n might never answer. */
	leavesAfterMs?: number;
}

/** The marker says in an execution which request has started it. */
export type WithMarker<T> = (marker: string) => T;

const MAX_DEPTH = 200;
const MUCH = 200_000;

const NASTY_KEYS = [
	...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'toJSON', 'then'],
	...['callId', 'summary', 'transcript', 'callStartTime', 'variables', 'eventKey', 'receivedAt'],
	...['error', 'json', 'binary', 'pairedItem', 'length', '0', '', '\ud800'],
];

const NASTY_VALUES = [
	...['1e999', '-0', '1e-999', '9007199254740993', '"\\ud800"', '"\\u0000"', '"c-1"', '""', 'null'],
	...['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}'],
	...['"N/A"', '" null "', '0', '"undefined"', '"\\ufffd"', '[]', '{"turns":[]}'],
	...['{"toString":null,"valueOf":1}', '"={{ $env }}"', '[[],[null],{}]'],
];

const jsonKey = fc
	.oneof(fc.constantFrom(...NASTY_KEYS), fc.string({ unit: 'binary' }))
	.map((key) => JSON.stringify(key));

const jsonValue = fc.oneof(fc.constantFrom(...NASTY_VALUES), fc.json());

/** As text, because an object cannot hold `__proto__` or the same key twice. */
const objectText = fc
	.array(fc.tuple(jsonKey, jsonValue), { maxLength: 8 })
	.map(
		(entries) => (marker: string) =>
			`{${[...entries, ['"marker"', `"${marker}"`]].map((entry) => entry.join(':')).join()}}`,
	);

/** Where to damage a text: anywhere but in its marker. */
function spot(whole: string, at: number): number {
	const marker = whole.lastIndexOf('"marker"');
	return at % ((marker === -1 ? whole.length : marker) + 1);
}

const brokenText = fc
	.tuple(objectText, fc.nat(), fc.constantFrom('', '}', ',', '\0', "'", 'NaN', '\\'))
	.map(([text, at, inserted]) => (marker: string) => {
		const whole = text(marker);
		const cut = spot(whole, at);
		return whole.slice(0, cut) + inserted + (inserted === '' ? '' : whole.slice(cut));
	});

const otherText = fc
	.oneof(
		fc.constantFrom('', ' ', 'null', 'true', '42', '"text"', '[]', '[{"callId":"c-1"}]', '{]'),
		fc.json().map((json) => `[${json}]`),
	)
	.map((text) => () => text);

const deepText = fc
	.tuple(
		fc.constantFrom(['{"a":', '}'], ['[', ']'], ['{"__proto__":', '}']),
		fc.constantFrom(50, 300, 300, 10_000),
	)
	.map(
		([[open = '', close = ''], depth]) =>
			(marker: string) =>
				`{"marker":"${marker}","deep":${open.repeat(depth)}1${close.repeat(depth)}}`,
	);

const longText = fc
	.constantFrom('x', '\\u0000', '\\ud83d', 'ü', '😀')
	.map(
		(part) => (marker: string) =>
			`{"marker":"${marker}","transcript":"${part.repeat(MUCH / Buffer.byteLength(part))}"}`,
	);

const text = fc.oneof(
	{ weight: 600, arbitrary: objectText },
	{ weight: 200, arbitrary: brokenText },
	{ weight: 200, arbitrary: otherText },
	{ weight: 40, arbitrary: deepText },
	{ weight: 2, arbitrary: longText },
);

/** How the text becomes bytes. */
const toBytes: Arbitrary<(whole: string) => Buffer> = fc.oneof(
	{ weight: 90, arbitrary: fc.constant((whole: string) => Buffer.from(whole)) },
	{ weight: 4, arbitrary: fc.constant((whole: string) => Buffer.from(`\ufeff${whole}`)) },
	{ weight: 2, arbitrary: fc.constant((whole: string) => Buffer.from(whole, 'utf16le')) },
	{
		weight: 6,
		arbitrary: fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 4 })).map(([at, garbage]) => {
			return (whole: string) => {
				const cut = spot(whole, at);
				const [start, end] = [whole.slice(0, cut), whole.slice(cut)];
				return Buffer.concat([Buffer.from(start), garbage, Buffer.from(end)]);
			};
		}),
	},
);

/** Who reads a content type: n8n as JSON, the node from the raw body, or something else. */
const contentType = fc.oneof(
	{
		weight: 70,
		arbitrary: fc.constantFrom(
			{ reader: 'n8n', values: ['application/json'] },
			{ reader: 'n8n', values: ['Application/JSON; charset=utf-8'] },
		),
	},
	{
		weight: 15,
		arbitrary: fc
			.constantFrom(
				...[[], [''], ['text/plain'], ['application/octet-stream'], ['application/ld+json']],
				...[['application/x-www-form-urlencoded'], ['application/json ;x'], ['__proto__'], [';;=']],
			)
			.map((values) => ({ reader: 'node', values })),
	},
	{
		weight: 15,
		arbitrary: fc
			.constantFrom(
				...['application/json; charset=utf-16le', 'application/json; charset=bogus', 'a/b'],
				...['application/json; charset="%E0%A4%A"', 'multipart/mixed', 'multipart/form-data'],
				...['text/plain; charset=__proto__', 'application/json, text/html', 'application/json;'],
			)
			.map((value) => ({ reader: 'other', values: [value] })),
	},
);

type ContentEncoding = readonly [
	headers: Header[],
	encode: (bytes: Buffer) => Buffer,
	isRight: boolean,
];
const encoded = (
	name: string,
	encode: (bytes: Buffer) => Buffer,
	isRight = false,
): ContentEncoding => [[['content-encoding', name]], encode, isRight];
const asIs = (bytes: Buffer): Buffer => bytes;
const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);

const contentEncoding: Arbitrary<ContentEncoding> = fc.oneof(
	{ weight: 85, arbitrary: fc.constant<ContentEncoding>([[], asIs, true]) },
	{
		weight: 15,
		arbitrary: fc.constantFrom(
			encoded('gzip', gzipSync, true),
			encoded('deflate', deflateSync, true),
			encoded('identity', asIs, true),
			encoded('gzip', asIs),
			encoded('deflate', asIs),
			encoded('gzip', (bytes) => half(gzipSync(bytes))),
			encoded('gzip', deflateSync),
			encoded('gzip, gzip', (bytes) => gzipSync(gzipSync(bytes))),
			encoded('br', asIs),
			encoded('GZIP', gzipSync),
			encoded('__proto__', asIs),
		),
	},
);

function parse(json: string): unknown {
	try {
		return JSON.parse(json) as unknown;
	} catch {
		return undefined;
	}
}

function isTooDeep(whole: string): boolean {
	return whole.includes('{"a":'.repeat(MAX_DEPTH)) || /\[{200}|(?:\{"__proto__":){200}/.test(whole);
}

/** What is to be made of a body, by the rules of docs/trigger.md. */
function judge(reader: string, bytes: Buffer): Verdict {
	if (reader === 'other') return 'any';
	const whole = bytes.toString('utf8');
	const value = parse(reader === 'n8n' ? whole.replace(/^\ufeff/, '') : whole);
	if (value === undefined) return reader === 'n8n' && bytes.length > 0 ? 'unparsable' : 'notObject';
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject && !isTooDeep(whole) ? 'object' : 'notObject';
}

const jsonBody = fc
	.tuple(text, toBytes, contentType, contentEncoding)
	.map(([whole, bytesOf, { reader, values }, [headers, encode, isRight]]) => {
		return (marker: string): FuzzBody => {
			const bytes = bytesOf(whole(marker));
			return {
				headers: [...values.map((value) => ['content-type', value] as const), ...headers],
				bytes: encode(bytes),
				verdict: isRight ? judge(reader, bytes) : 'any',
				isReadable: isRight || headers.every(([, name]) => !['gzip', 'deflate'].includes(name)),
			};
		};
	});

export const fuzzBody: Arbitrary<WithMarker<FuzzBody>> = fc.oneof(
	{ weight: 850, arbitrary: jsonBody },
	{ weight: 150, arbitrary: formBody },
	{ weight: 4, arbitrary: xmlBody },
);
