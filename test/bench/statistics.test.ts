import { spreadOf, withSpread } from '../../playground/bench/statistics';

it.each([
	[[3, 1, 2], 0, '2 (1–3)'],
	[[1.04, 1.06], 1, '1.1 (1.0–1.1)'],
	[[161], 0, '161'],
	[[0.051, 0.049], 2, '0.05'],
])('writes %j with %d digits as %s', (values, digits, expected) => {
	const spread = spreadOf(values);
	expect(spread && withSpread(spread, digits)).toBe(expected);
});
