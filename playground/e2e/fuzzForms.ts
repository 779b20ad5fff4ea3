import fc, { type Arbitrary } from 'fast-check';
import type { FuzzBody, WithMarker } from './fuzzBodies';

const PART = 'content-disposition: form-data; name=';

/** The only one that can be an event, since no other has a brace. */
const JSON_PART = '{"marker":"MARKER"}';

const FORM_PARTS = [
	...['__proto__[a]=1', '&constructor.prototype=1', '&a[]=1', '&%', '=', '&a=%ff', JSON_PART],
	...['--b\r\n', '--b--\r\n', `${PART}"__proto__"\r\n\r\n`, `${PART}"f"; filename="f"\r\n\r\n`],
];

const XML_PARTS = [
	...['<a b="c">', '</a>', '<a/>', '<__proto__/>', '<!DOCTYPE x [<!ENTITY e "&e;">]>', '&e;'],
	...['<![CDATA[', ']]>', '<constructor prototype="x"/>', '<?xml version="1.0"?>'],
];

/** Gives up soon: n8n 2.41 may never answer XML that is malformed or comes at the same time as other XML. */
const XML_WITHIN_MS = 1000;

function bodyOf(
	types: string[],
	known: string[],
	more: Partial<FuzzBody> = {},
): Arbitrary<WithMarker<FuzzBody>> {
	const text = fc.string().map((any) => any.replaceAll('{', ''));
	const parts = fc.array(fc.oneof(fc.constantFrom(...known), text), { maxLength: 12 });
	const garbage = fc.oneof(fc.constant(new Uint8Array()), fc.uint8Array({ maxLength: 40 }));
	return fc
		.tuple(fc.constantFrom(...types), parts, garbage)
		.map(([type, texts, end]) => (marker): FuzzBody => {
			const whole = texts.join('').replaceAll('MARKER', marker);
			const bytes = Buffer.concat([Buffer.from(whole), end]);
			return {
				headers: [['content-type', type]],
				bytes,
				verdict: 'any',
				isReadable: true,
				...more,
			};
		});
}

export const formBody = bodyOf(
	[
		...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', 'text/csv'],
		...['multipart/form-data; boundary=', 'application/octet-stream', 'application/json'],
	],
	FORM_PARTS,
);

export const xmlBody = bodyOf(
	['text/xml', 'application/xml; charset=utf-16le', 'image/svg+xml'],
	XML_PARTS,
	{ leavesAfterMs: XML_WITHIN_MS },
);
