import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any character; fast-check's own unit `binary` first builds a table of all of them, which takes a second. */
const character = fc
	.nat({ max: 0x10ffff - SURROGATES.count })
	.map((code) => String.fromCodePoint(code < SURROGATES.from ? code : code + SURROGATES.count));

export const anyText = fc.string({ unit: character });
