import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { defineField, menuField, optionalField, shownFor, type Field } from './field';
import { json, label, listOf, text, textOrEmpty, type ValueSchema } from './schemas';
import { isFilled, objectOf, PARSED_JSON, type ValueRule } from './valueRule';
import { isBlank, isContainer, isObject } from '../values';

/** Makes the field and its JSON for one property of the body, and the choice between them. */
function eitherOf(
	sentAs: string,
	rowsField: Field,
	jsonRule: ValueRule & Record<'placeholder' | 'description', string>,
): Field[] {
	const { displayName } = rowsField.property;
	const choice = menuField({
		displayName: `Enter ${displayName}`,
		name: 'specifyAttributes',
		options: [
			{ name: 'As JSON', value: 'json', description: 'One JSON object' },
			{ name: 'One by One', value: 'fields', description: 'One field for each value' },
		],
		default: 'fields',
		description: `How to enter the ${displayName.toLowerCase()}`,
	});
	const asJson = defineField({
		displayName: `${displayName} (JSON)`,
		name: 'attributesJson',
		type: 'json',
		default: '{}',
		...jsonRule,
		sentAs,
		schema: json(jsonRule.schema),
	});
	return [
		choice,
		shownFor(choice, ['fields'], { ...rowsField, sentAs }),
		shownFor(choice, ['json'], optionalField(asJson)),
	];
}

/** A text of a collection or a row. */
const cell = (displayName: string, name: string, placeholder: string, description: string) => ({
	displayName,
	name,
	type: 'string' as const,
	default: '',
	placeholder,
	description,
});

/** An object without its blank values; none at all if nothing is left. */
const withoutBlanks = (value: unknown): unknown => {
	if (!isObject(value)) return value;
	const entries = Object.entries(value).filter(([, entry]) => !isBlank(entry));
	return entries.length > 0 ? Object.fromEntries(entries) : undefined;
};

const CUSTOM_FIELD_EXAMPLES =
	'Ada,Lovelace,2026-02-03,10:30,Berlin,teeth cleaning,order 4711,gold customer'.split(',');

/**
 * Makes the attribute fields of an operation that takes customField1 to customField`count`: an
 * object of texts with only these keys (S 2.2).
 */
export function customAttributeFields(count: 3 | 8): Field[] {
	const cells = CUSTOM_FIELD_EXAMPLES.slice(0, count).map((example, index) => {
		const description = `The value for custom field ${index + 1} of the assistant`;
		const [displayName, name] = [`Custom Field ${index + 1}`, `customField${index + 1}`];
		return cell(displayName, name, `e.g. ${example}`, description);
	});
	const texts = Object.fromEntries(cells.map(({ name }) => [name, text.optional()]));
	const expected = `expected an object with only the keys customField1 to customField${count}, each a text`;
	const object = z.object(texts, { message: expected }).strict(expected).optional();
	const schema = z.preprocess(withoutBlanks, object);
	const filledEntries = `filter((entry) => ${isFilled('entry[1]')})`;
	return eitherOf(
		'attributes',
		defineField({
			displayName: 'Custom Fields',
			name: 'customFields',
			type: 'collection',
			placeholder: 'Add Custom Field',
			default: {},
			options: cells,
			description:
				'Values for the custom fields of the assistant, which it can use in the call or conversation',
			schema,
			expression: objectOf(`Object.entries($value).${filledEntries}`),
		}),
		{
			placeholder: 'e.g. { "customField1": "Ada" }',
			description: `A JSON object with the custom fields of the assistant: customField1 to customField${count}, each a text`,
			schema,
			expression: objectOf(`Object.entries(${PARSED_JSON}).${filledEntries}`),
		},
	);
}

/** Names that n8n's HTTP client leaves out of a body without a word, at any depth. */
const LOST_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

const holdsLostName = (value: unknown): boolean =>
	isContainer(value) &&
	Object.entries(value).some(([name, part]) => LOST_NAMES.has(name) || holdsLostName(part));

const NAME_CAN_BE_SENT = `expected names other than ${[...LOST_NAMES].join(', ')}`;

const nameAndValue = z
	.object({ name: label, value: textOrEmpty })
	.transform(({ name, value }): [string, string] => [name, value]);

/** The rows of `attributes.values` as one object; rows without name and value do not count. */
const attributeRows: ValueRule = {
	schema: z.preprocess(
		(value) => {
			const rows = isObject(value) && 'values' in value ? value.values : [];
			return Array.isArray(rows) ? rows.filter((row) => withoutBlanks(row) !== undefined) : rows;
		},
		listOf(nameAndValue, 'expected rows of a name and a value')
			.refine((rows) => new Set(rows.map(([name]) => name)).size === rows.length, {
				message: 'expected each name only once',
			})
			.refine((rows) => !rows.some(([name]) => LOST_NAMES.has(name)), NAME_CAN_BE_SENT)
			.transform((rows) => (rows.length > 0 ? Object.fromEntries(rows) : undefined)),
	),
	expression: objectOf(
		`($value.values ?? []).filter((row) => ${isFilled('row.name')} || ${isFilled('row.value')}).map((row) => [row.name, row.value ?? ""])`,
	),
};

/** An object as {@link json} gives it, no deeper than that lets through. */
const anyObject: ValueSchema = z
	.custom<IDataObject>(isObject, 'expected a JSON object of names and values')
	.refine((value) => !holdsLostName(value), NAME_CAN_BE_SENT)
	.transform((value) => (Object.keys(value).length > 0 ? value : undefined));

/**
 * Makes the attribute fields of a msgapp operation, whose attributes have free names (S 2.2).
 *
 * @param sentAs the body property: `attributes` (S 4.8, S 4.9) or `parameters` (S 4.10)
 */
export function freeAttributeFields(sentAs: 'attributes' | 'parameters'): Field[] {
	return eitherOf(
		sentAs,
		defineField({
			displayName: 'Attributes',
			name: 'attributes',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Attribute',
			default: {},
			options: [
				{
					displayName: 'Attribute',
					name: 'values',
					values: [
						cell('Name', 'name', 'e.g. firstName', 'The name of the parameter or placeholder'),
						cell('Value', 'value', 'e.g. Ada', 'What is put in its place'),
					],
				},
			],
			description: 'The named values that are put into the message or template',
			...attributeRows,
		}),
		{
			placeholder: 'e.g. { "firstName": "Ada" }',
			description: 'A JSON object of the named values that are put into the message or template',
			schema: anyObject,
			expression: objectOf(`Object.entries(${PARSED_JSON})`),
		},
	);
}
