import fc from 'fast-check';

import { normalizeBaseUrl } from '../../../nodes/shared/service/baseUrl';
import { messageOf } from '../../../nodes/shared/answer/failure';
import { identifierIn } from '../../../nodes/AssistantService/answerParts';
import {
	GOOD_VALUES,
	operationOf,
	operations,
	planOrProblems,
	problemsOf,
	SETTINGS,
} from '../samples';

/** Characters and words that some pattern or parser treats in its own way. */
const UNITS = [
	...'(){}[]<>+-.,:;=#%/\\\'"?!@&|~^*_$ 019aeéß'.split(''),
	...['\n', '\r', '\t', '\0', '\u00a0', '\u200b', '\u202a', '\ud800', '\udc00'],
	...['id', 'message', ' is ', '{a}', '"a":', '../', 'xn--'],
];

const LENGTH = 100_000;

/** Something, then two of the units in turn for 100,000 characters, then something that may spoil it. */
const hostile = fc
	.tuple(
		fc.constantFrom('', ' ', '+49', '0', '(', 'message id', 'https://', '{', '[', '"', '2026-01-'),
		fc.constantFrom(...UNITS),
		fc.constantFrom('', ...UNITS),
		fc.constantFrom('', 'a', '0', '}', ')', '\n', '\ud800'),
	)
	.map(([start, one, other, end]) => {
		const unit = one + other;
		return start + unit.repeat(LENGTH / unit.length) + end;
	});

const fields = [...operations.keys()].flatMap((path) =>
	operationOf(path).fields.map(({ property }) => [path, property.name] as const),
);

/** More than this no error text needs, in characters. */
const MAX_PROBLEMS = 2_000;

/** A character is at most nine in a path (`%E2%80%8B`), and at most six in JSON. */
const MAX_GROWTH = 9;

test('a long text is sent at its size or refused in a short sentence, whatever it holds', () => {
	const good = JSON.stringify(GOOD_VALUES).length + 5_000;
	fc.assert(
		fc.property(
			fc.constantFrom(...fields),
			fc.constantFrom(...SETTINGS),
			hostile,
			([path, name], settings, value) => {
				const plan = planOrProblems(path, { ...settings, [name]: value });

				if (plan.kind === 'unsendable') {
					expect(messageOf(plan.failure).length).toBeLessThan(MAX_PROBLEMS);
				} else {
					const { url, body } = plan.request;
					const sent = url.length + JSON.stringify(body ?? null).length;
					expect(sent).toBeLessThan(good + MAX_GROWTH * value.length);
				}
			},
		),
		{ numRuns: 150 },
	);
});

test.each([
	[
		'msgapp.continueConversation',
		{ message: Array.from({ length: LENGTH / 10 }, (_, index) => `{a${index}}`).join(' ') },
		/\{a9\} and 9990 more$/,
	],
	[
		'msgapp.sendTemplate',
		{ attributes: { values: Array(LENGTH).fill({ name: 7, value: [] }) } },
		/^Attributes \(entry 1, value\): .*Attributes \(entry 10, value\): expected text$/,
	],
])('%s refuses a long value of another kind in a short sentence', (path, values, expected) => {
	const problems = problemsOf(planOrProblems(path, values)).join('; ');

	expect(problems).toMatch(expected);
	expect(problems.length).toBeLessThan(MAX_PROBLEMS);
});

test('what is taken out of a long text is a part of it', () => {
	fc.assert(
		fc.property(hostile, (value) => {
			expect(value).toContain(identifierIn(value) ?? '');
			expect(value).toContain(normalizeBaseUrl(value));
		}),
		{ numRuns: 50 },
	);
	expect(identifierIn(`message id${' '.repeat(LENGTH)}`)).toBeNull();
	expect(identifierIn(`message id${' '.repeat(LENGTH)}77ab`)).toBe('77ab');
	const slashes = '/'.repeat(LENGTH);
	expect(normalizeBaseUrl(`https://x.example${slashes}v1${slashes}`)).toBe('https://x.example');
	expect(normalizeBaseUrl(`https://x${slashes}a`)).toBe(`https://x${slashes}a`);
});
