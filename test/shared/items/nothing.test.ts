import type { Field } from '../../../nodes/shared/declaration/field';
import type { Item } from '../../../nodes/shared/items/item';
import { isBlank } from '../../../nodes/shared/values';
import { GOOD_VALUES, operationOf, operations, planOrProblems } from '../samples';

/**
 * Values that give nothing, such as those of an expression that names a column which is not there. One rule holds for all:
 * what is required, what the credential holds, and an option or a rule of contact that was added refuse the item; an
 * optional field counts as not entered, and so do a reference and a list of nobody.
 */
const NOTHING: readonly unknown[] = [undefined, null, '', ' ', '\u00a0\n', [], {}];

/** Of another type than any setting is. */
const ODD: readonly unknown[] = [
	[[]],
	[null],
	{ a: 1 },
	{ values: 7 },
	true,
	NaN,
	Infinity,
	() => 1,
	7n,
];

/** What an item is sent as, and by which settings. */
const sentAs = (plan: Item) =>
	plan.kind === 'unsendable'
		? 'refused'
		: JSON.stringify([
				[plan.request, plan.fallback].map(
					(one) => one && [one.method, one.url, one.body, one.timeout],
				),
				plan.options,
				plan.person,
			]);

const show = (value: unknown): string =>
	typeof value === 'bigint' || typeof value === 'function' ? String(value) : JSON.stringify(value);

/** Says by its message of which value it does not hold. */
const holds = (isRight: boolean, ...of: string[]): void => {
	expect([...of, isRight]).toEqual([...of, true]);
};

const namesOf = (fields: readonly Field[]): string[] => fields.map(({ property }) => property.name);

const paths = [...operations.keys()];
/** Which of its fields the service requires is not shown (S 4.7). */
const BULK = 'campaign.createBulk';

describe.each(paths)('%s', (path) => {
	const { fields, options, rules = [] } = operationOf(path);
	const isBulk = path === BULK;
	const shown = fields.filter(({ conditions = [] }) =>
		conditions.every(({ name, values }) => values.some((value) => value === GOOD_VALUES[name])),
	);

	test('a required field that gives nothing refuses the item; another counts as not entered', () => {
		for (const { property } of shown) {
			const { name, required } = property;
			for (const value of NOTHING) {
				const plan = planOrProblems(path, { [name]: value });
				const leftOut = [property.default, undefined].map((one) =>
					sentAs(planOrProblems(path, { [name]: one })),
				);
				const allowed = required === true && !isBulk ? [] : leftOut;
				holds(['refused', ...allowed].includes(sentAs(plan)), name, show(value));
			}
		}
	});

	test('an option that gives nothing refuses the item, but a reference', () => {
		const without = sentAs(planOrProblems(path));
		const own = namesOf(options.filter(({ conditions = [] }) => conditions.length === 0));
		for (const value of [...NOTHING, ...ODD]) {
			for (const name of own) {
				const plan = sentAs(planOrProblems(path, { options: { [name]: value } }));
				const mayBeBlank = name === 'reference' && isBlank(value);
				const isMeant = mayBeBlank ? plan !== 'refused' : typeof value === 'boolean';
				holds(isMeant || plan === 'refused', name, show(value));
			}
			const plan = sentAs(planOrProblems(path, { options: value }));
			holds(['refused', without].includes(plan), 'options', show(value));
		}
	});

	test('a rule that gives nothing refuses the item, but a list that names nobody', () => {
		for (const name of namesOf(rules)) {
			for (const value of [...NOTHING, ...ODD]) {
				const plan = planOrProblems(path, { contactRules: { [name]: value } });
				const namesNobody =
					name === 'doNotContact' &&
					((typeof value === 'string' && value.trim() === '') ||
						(Array.isArray(value) && value.length === 0));
				holds((plan.kind === 'unsendable') !== namesNobody, name, show(value));
			}
		}
	});

	test('a field of the credential that gives nothing refuses the item', () => {
		for (const value of [...NOTHING, ...ODD]) {
			for (const name of ['baseUrl', 'apiKey', 'workspaceId', 'mode', 'testNumber']) {
				const credential = { mode: 'redirect', testNumber: '+4915112345678', [name]: value };
				holds(planOrProblems(path, {}, credential).kind === 'unsendable', name, show(value));
			}
		}
	});
});
