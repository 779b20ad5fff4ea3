import fc from 'fast-check';
import { DateTime } from 'luxon';
import { runInNewContext } from 'node:vm';

import type { Field } from '../../../nodes/shared/declaration/field';
import {
	operationOf,
	operations,
	planOrProblems,
	problemsOf,
	SETTINGS,
	type Values,
} from '../samples';

type Place = readonly [path: string, where: string, enter: (text: unknown) => Values];

const takesText = ({ property, schema }: Field): boolean =>
	property.type === 'string' && schema.safeParse('2026').success;

/** Every field and option that takes any text, once for each of its names, with the settings that show it. */
const FIELDS = [...operations.keys()].flatMap((path): Place[] => {
	const { fields, options } = operationOf(path);
	const shown = SETTINGS.flatMap((settings) =>
		fields
			.filter(({ conditions = [] }) =>
				conditions.every(({ name, values }) => values.includes(String(settings[name]))),
			)
			.map((field) => ({ field, enter: (text: Values): Values => ({ ...settings, ...text }) })),
	);
	const added = options.map((field) => {
		const settings: Values = Object.fromEntries(
			(field.conditions ?? []).map(({ name, values: [value] }) => [name, value]),
		);
		return { field, enter: (text: Values): Values => ({ ...settings, options: text }) };
	});
	const places = [...shown, ...added]
		.filter(({ field }) => takesText(field))
		.map(({ field: { property }, enter }): Place => {
			return [path, property.displayName, (text) => enter({ [property.name]: text })];
		});
	return [...new Map(places.map((place) => [place[1], place])).values()];
});

const asJson = { specifyAttributes: 'json' };

const CALL = 'call.place';
const TEMPLATE = 'msgapp.sendTemplate';
const KNOWLEDGE = 'knowledgeBase.addParagraphs';

const INNER: Place[] = [
	[CALL, 'Custom Fields (customField2)', (customField2) => ({ customFields: { customField2 } })],
	[
		CALL,
		'Custom Fields (JSON)',
		(customField1) => ({ ...asJson, attributesJson: { customField1 } }),
	],
	[
		TEMPLATE,
		'Attributes (entry 1, value)',
		(value) => ({ attributes: { values: [{ name: 'a', value }] } }),
	],
	[TEMPLATE, 'Attributes (JSON)', (b) => ({ ...asJson, attributesJson: { a: { b: [b] } } })],
	[
		KNOWLEDGE,
		'Paragraphs (values, entry 1, text)',
		(text) => ({ paragraphs: { values: [{ text }] } }),
	],
	[KNOWLEDGE, 'Paragraphs (JSON)', (text) => ({ paragraphSource: 'json', paragraphsJson: [text] })],
];

const PLACES = [...FIELDS, ...INNER];

test('the fields that take a text are found', () => {
	const names = FIELDS.map(([path, where]) => `${path} ${where}`);

	expect(names).toContain('sms.start Message');
	expect(names).toContain('chat.getConversation User Identifier');
	expect(names).toContain('chat.continue User Identifier');
	expect(names).toContain('call.place Reference');
	expect(names.length).toBeGreaterThan(30);
});

/** What is sent and put out; or what is wrong. */
function outcome(path: string, values: Values): unknown {
	const plan = planOrProblems(path, values);
	if (plan.kind === 'unsendable') return problemsOf(plan);
	const { request, fallback, person, options } = plan;
	return [request.url, request.body, fallback?.body, person, options];
}

const foreign = runInNewContext('(time) => new Date(time)') as (time: number) => unknown;

test.each(PLACES)('%s: a date in %s is sent as ISO 8601', (path, _, enter) => {
	const years = { min: new Date('0000-01-01'), max: new Date('9999-01-01') };
	const dates = fc.date({ ...years, noInvalidDate: true });
	fc.assert(
		fc.property(dates, fc.constantFrom('utc', 'Asia/Kolkata', 'UTC-5'), (date, zone) => {
			const iso = outcome(path, enter(date.toISOString()));
			const luxon = DateTime.fromJSDate(date, { zone });
			expect(outcome(path, enter(date))).toEqual(iso);
			expect(outcome(path, enter(foreign(date.getTime())))).toEqual(iso);
			expect(outcome(path, enter(luxon))).toEqual(outcome(path, enter(luxon.toISO())));
			expect(JSON.stringify(iso)).toMatch(/\d-\d\dT|\dT\d\d%3A/);
		}),
		{ numRuns: 10 },
	);
});

const LOST = [
	...['[object Object]', 'Invalid DateTime', 'Invalid Date', '#N/A', '#REF!', '#VALUE!'],
	...['#NAME?', '#DIV/0!', '#NUM!', '#NULL!'],
];

test.each(PLACES.filter(([, where]) => where !== 'Question'))(
	'%s: what an expression has lost in %s is refused',
	(path, where, enter) => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (before, after) => {
				for (const text of LOST) {
					const problem = `${where}: expected text, but "${text}" stands in it: correct the value or its expression`;
					expect(outcome(path, enter(before + text + after))).toEqual([problem]);
				}
			}),
			{ numRuns: 3 },
		);
	},
);

test.each(PLACES)('%s: a date in %s that is none is refused', (path, where, enter) => {
	for (const date of [new Date(NaN), foreign(NaN), DateTime.invalid('none')]) {
		const [problem = ''] = outcome(path, enter(date)) as string[];
		expect(problem.slice(0, where.length + 1)).toBe(`${where}:`);
	}
});
