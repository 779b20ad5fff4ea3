import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { flag, numberWithin, oneOf, optional } from './schemas';
import { isFilled, type ValueRule } from './valueRule';

/** A parameter of the node: what n8n shows, what its value must be, and where it is sent. */
export interface Field<T = unknown> extends ValueRule<T> {
	readonly property: Omit<INodeProperties, 'routing' | 'displayOptions'>;
	/** The property of the request that it is sent as; a field without one only steers the node. */
	readonly sentAs?: string;
	/** Of an option or a rule: it may be added and give nothing. */
	readonly mayBeBlank?: boolean;
	/** Of a rule: the names of the rules that it makes no sense without. */
	readonly needs?: readonly string[];
	/** Of an option: a tool does not offer it, because it has no effect on a single item. */
	readonly isHiddenInTool?: boolean;
	/** Of an option: the default with which a tool adds it, if that differs. */
	readonly toolDefault?: INodeProperties['default'];
	/** The field is shown, read and sent only if each of these other fields has one of the values. */
	readonly conditions?: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** A field as its author writes it: what n8n shows and what is made of its value, in one object. */
type Definition<T = unknown> = Field['property'] &
	Pick<Field<T>, 'schema' | 'expression' | 'sentAs' | 'mayBeBlank' | 'needs' | 'isHiddenInTool'>;

export function defineField<T>(definition: Definition<T>): Field<T> {
	const { schema, expression, sentAs, mayBeBlank, needs, isHiddenInTool, ...property } = definition;
	return { property, schema, expression, sentAs, mayBeBlank, needs, isHiddenInTool };
}

/** Makes a field optional: a blank value is left out of the request. */
export const optionalField = ({ expression = '$value', ...field }: Field): Field => ({
	...field,
	property: { ...field.property, required: false },
	schema: optional(field.schema),
	expression: `${isFilled('$value')} ? ${expression} : undefined`,
});

type TextDefinition = Omit<Definition, 'type' | 'default'>;

/** Makes a required text, which is sent by its name unless `sentAs` says otherwise. */
export const textField = (text: TextDefinition): Field =>
	defineField({ sentAs: text.name, ...text, type: 'string', default: '', required: true });

export const optionalText = (text: TextDefinition): Field => optionalField(textField(text));

type Choice<T> = Pick<INodePropertyOptions, 'name' | 'description'> & { readonly value: T };

/** Makes a menu, of which the value of an entry is sent. */
export const menuField = <const T extends string>({
	options: [first, ...moreChoices],
	...menu
}: Omit<Definition, 'type' | 'options' | 'default' | 'schema'> & {
	readonly options: readonly [Choice<T>, ...Choice<T>[]];
	readonly default: NoInfer<T>;
}): Field<T> =>
	defineField({
		...menu,
		type: 'options',
		options: [first, ...moreChoices],
		schema: oneOf(first.value, ...moreChoices.map(({ value }) => value)),
	});

/** Makes a switch, which is on or off. */
export const flagField = (definition: Omit<Definition, 'type' | 'schema'>): Field<boolean> =>
	defineField({ ...definition, type: 'boolean', schema: flag });

type NumberDefinition = Omit<Definition, 'type' | 'typeOptions' | 'schema'>;

/** Makes a number within bounds, whole unless it may be a fraction, which the editor keeps, too. */
export const numberField = (
	min: number,
	max: number,
	{ mayBeFraction = false, ...definition }: NumberDefinition & { readonly mayBeFraction?: boolean },
): Field<number> =>
	defineField({
		...definition,
		type: 'number',
		typeOptions: { minValue: min, maxValue: max },
		schema: numberWithin(min, max, !mayBeFraction),
	});

/** Makes a time in hours, which is more than none. */
export const hoursField = (
	max: number,
	definition: Omit<NumberDefinition, 'hint'>,
): Field<number> =>
	defineField({
		...definition,
		type: 'number',
		typeOptions: { maxValue: max },
		hint: 'In hours',
		schema: numberWithin(0, max).refine((hours) => hours > 0, 'expected more than 0 hours'),
	});

/** Shows a field only for certain values of another one, which stands before it. */
export const shownFor = <T extends string>(
	{ property }: Field<T>,
	values: readonly NoInfer<T>[],
	field: Field,
): Field => ({
	...field,
	conditions: [...(field.conditions ?? []), { name: property.name, values }],
});
