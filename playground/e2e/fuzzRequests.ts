import fc, { type Arbitrary } from 'fast-check';
import { fuzzBody, type Header, type Verdict } from './fuzzBodies';

export interface FuzzRequest {
	/** As it is put on the wire. */
	bytes: Buffer;
	/** Whether it carries the secret in a place that counts. */
	isAuthenticated: boolean;
	/** What becomes of a request that is whole as far as HTTP is concerned; `any` for the others. */
	verdict: Verdict;
	/** Whether it has the trigger's method and path. */
	isForTrigger: boolean;
	/** Whether the compression of its body can be undone. */
	isReadable: boolean;
	/** When the sender leaves, if nobody might ever answer. */
	leavesAfterMs?: number;
}

/** The marker says in an execution which request has started it. */
export type MakeRequest = (path: string, marker: string) => FuzzRequest;

interface Proof {
	headers: Header[];
	query: string[];
	isRight: boolean;
}

const inHeader = (name: string, ...values: string[]): Omit<Proof, 'isRight'> => ({
	headers: values.map((value) => [name, value] as const),
	query: [],
});
const inQuery = (...query: string[]): Omit<Proof, 'isRight'> => ({ headers: [], query });

function proofOf(headerName: string, secret: string): Arbitrary<Proof> {
	const escaped = secret.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`);
	const right = [
		inHeader(headerName, secret),
		inHeader(headerName.toUpperCase(), `\t ${secret}  `),
		inQuery(`secret=${secret}`),
		inQuery(`%73ecret=${escaped}`),
		{ ...inHeader(headerName, 'wrong'), ...{ query: [`secret=${secret}`] } },
	];
	const wrong = [
		inQuery(),
		inHeader(headerName, ''),
		inHeader(headerName, secret, secret),
		inHeader(headerName, secret.slice(0, -1)),
		inHeader(headerName, `${secret}x`),
		inHeader(headerName, secret.toUpperCase()),
		inHeader(headerName, `"${secret}"`),
		inHeader('authorization', `Bearer ${secret}`),
		inHeader('cookie', `${headerName}=${secret}; secret=${secret}`),
		inHeader('x-secret', secret),
		inHeader('__proto__', secret),
		inQuery(`secret=`),
		inQuery('secret'),
		inQuery(`Secret=${secret}`),
		inQuery(`secret=${secret}%00`),
		inQuery(`secret=${secret}`, `secret=${secret}`),
		inQuery(`secret[]=${secret}`),
		inQuery(`secret[a]=${secret}`),
		inQuery(`secret=${secret}`, 'secret[a]=1'),
		inQuery(`__proto__[secret]=${secret}`),
		inQuery(`constructor[prototype][secret]=${secret}`),
		inQuery('secret[length]=0', 'secret[toString]=1'),
		inQuery('secret[__proto__][length]=32'),
	];
	return fc.oneof(
		{ weight: 10, arbitrary: fc.constantFrom(...right).map((one) => ({ ...one, isRight: true })) },
		{ weight: 65, arbitrary: fc.constantFrom(...wrong).map((one) => ({ ...one, isRight: false })) },
		{
			weight: 25,
			arbitrary: fc.string().map((value) => {
				return { ...inQuery(`secret=${encodeURIComponent(value)}`), isRight: false };
			}),
		},
	);
}

/** Follows what counts, so that it cannot push it out. */
const moreQuery = fc.oneof(
	{ weight: 80, arbitrary: fc.constant('') },
	{
		weight: 20,
		arbitrary: fc.oneof(
			fc.webQueryParameters(),
			fc.constantFrom(
				...['__proto__[polluted]=1', 'constructor[prototype][polluted]=1', 'a[]=1&a[]=2&a=3'],
				...['a[b][c][d][e][f][g]=1', '%', '%ff%fe', 'a=%00', '&&&==', '?', 'a[9999999]=1', 'x[=1'],
				...['a=1&'.repeat(2000), 'a[]=1&'.repeat(500), `a${'[b]'.repeat(2000)}=1`],
			),
		),
	},
);

const headerText = fc
	.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) })
	.map((value) => value.replace(/\x7f/g, ''));

const moreHeaders: Arbitrary<Header[]> = fc.oneof(
	{ weight: 75, arbitrary: fc.constant<Header[]>([]) },
	{
		weight: 25,
		arbitrary: fc.array(
			fc.tuple(
				fc.constantFrom(
					...['__proto__', 'constructor', 'cookie', 'x-forwarded-for', 'origin', 'user-agent'],
					...[
						'content-disposition',
						'accept',
						'traceparent',
						'forwarded',
						'x-http-method-override',
					],
					...['referer', 'range', 'if-none-match', 'authorization', 'content-language', 'via'],
				),
				fc.oneof(headerText, fc.constantFrom('bot', '[object Object]', 'x'.repeat(12_000))),
			),
			{ maxLength: 4 },
		),
	},
);

/** By then the beginning has arrived. */
const CUT_OFF_MS = 20;

type Framing = (bytes: Buffer) => {
	headers: Header[];
	bytes: Buffer;
	isWhole?: boolean;
	leaves?: boolean;
};

const length = (value: number | string): Header => ['content-length', String(value)];
const CHUNKED: Header = ['transfer-encoding', 'chunked'];
const chunk = (bytes: Buffer): Buffer =>
	Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const END = Buffer.from('0\r\n\r\n');
const chunked = (bytes: Buffer): Buffer =>
	Buffer.concat(bytes.length > 0 ? [chunk(bytes), END] : [END]);

const right: Framing[] = [
	(bytes) => ({ headers: [length(bytes.length)], bytes, isWhole: true }),
	(bytes) => ({ headers: [CHUNKED], bytes: chunked(bytes), isWhole: true }),
];
const wrong: Framing[] = [
	(bytes) => ({ headers: [], bytes }),
	(bytes) => ({ headers: [length(Math.floor(bytes.length / 2))], bytes }),
	(bytes) => ({ headers: [length(bytes.length + 10)], bytes, leaves: true }),
	(bytes) => ({ headers: [length(-1)], bytes }),
	(bytes) => ({ headers: [length('1e3')], bytes }),
	(bytes) => ({ headers: [length(bytes.length), length(bytes.length + 1)], bytes }),
	(bytes) => ({ headers: [length(bytes.length), CHUNKED], bytes: chunked(bytes) }),
	(bytes) => ({ headers: [CHUNKED], bytes: chunk(bytes), leaves: true }),
	(bytes) => ({ headers: [CHUNKED], bytes, leaves: true }),
	() => ({ headers: [CHUNKED], bytes: Buffer.from('ffffffffffffffffff\r\nx'), leaves: true }),
	(bytes) => ({ headers: [['transfer-encoding', 'gzip, chunked']], bytes: chunked(bytes) }),
	(bytes) => ({ headers: [length(bytes.length), ['bad name', 'x']], bytes }),
	(bytes) => ({ headers: [length(bytes.length), ['x', 'a\0b']], bytes }),
	(bytes) => ({ headers: [length(bytes.length), ['x', 'x'.repeat(20_000)]], bytes }),
	(bytes) => ({ headers: [length(bytes.length), ['expect', '100-continue']], bytes }),
	(bytes) => ({ headers: [length(bytes.length), ['expect', 'wonders']], bytes }),
];

const framing = fc.oneof(
	{ weight: 85, arbitrary: fc.constantFrom(...right) },
	{ weight: 15, arbitrary: fc.constantFrom(...wrong) },
);

const startLine = fc.oneof(
	{ weight: 88, arbitrary: fc.constant(['POST', '', 'HTTP/1.1']) },
	{
		weight: 8,
		arbitrary: fc.tuple(
			fc.constantFrom(
				...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE', 'QUERY'],
				...['post', 'X', ''],
			),
			fc.constant(''),
			fc.constant('HTTP/1.1'),
		),
	},
	{
		weight: 4,
		arbitrary: fc.tuple(
			fc.constant('POST'),
			fc.constantFrom('/', '//', '/x', '/%00', '/%', '/..', '/../..', ';x', '/__proto__', '\\'),
			fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''),
		),
	},
);

/** One request of any kind; only a small share of all is both authenticated and good. */
export function fuzzRequest(headerName: string, secret: string): Arbitrary<MakeRequest> {
	return fc
		.tuple(startLine, proofOf(headerName, secret), moreQuery, moreHeaders, fuzzBody, framing)
		.map(([[method, suffix, version], proof, more, others, bodyOf, frame]) => (path, marker) => {
			const body = bodyOf(marker);
			const framed = frame(body.bytes);
			const query = [...proof.query, ...(more === '' ? [] : [more])].join('&');
			const headers: Header[] = [
				...[['host', 'n8n.example'] as const, ['connection', 'close'] as const],
				...proof.headers,
				...body.headers,
				...framed.headers,
				...others,
			];
			const lines = [
				`${method} ${path}${suffix}${query === '' ? '' : `?${query}`} ${version}`,
				...headers.map(([name, value]) => `${name}: ${value}`),
			];
			const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
			const isForTrigger = method === 'POST' && suffix === '';
			const isPlain = isForTrigger && framed.isWhole && head.length < 12_000;
			return {
				bytes: Buffer.concat([head, framed.bytes]),
				isAuthenticated: proof.isRight,
				verdict: isPlain ? body.verdict : 'any',
				isForTrigger,
				isReadable: body.isReadable,
				leavesAfterMs: framed.leaves ? CUT_OFF_MS : body.leavesAfterMs,
			};
		});
}
