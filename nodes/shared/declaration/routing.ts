import type { INodeProperties } from 'n8n-workflow';

import type { Field } from './field';
import type { Operation } from './operation';
import { optionsField } from './options';

/** What the menu entry of an operation says of its request. */
export const describeRequest = (request: Operation['request']): INodeProperties['routing'] => ({
	request,
});

/** The fields of an operation, and the collection of its options, as n8n shows them. */
export function describeFields(
	fields: readonly Field[],
	options: readonly Field[],
): INodeProperties[] {
	return [
		...fields.map((field) => describeField(field)),
		{ ...optionsField.property, options: options.map((option) => describeField(option, '/')) },
	];
}

/** @param root what n8n puts before the name of a field outside of the collection */
function describeField({ property, place, conditions = [] }: Field, root = ''): INodeProperties {
	const show = Object.fromEntries(conditions.map(({ name, values }) => [root + name, [...values]]));
	return {
		...property,
		...(conditions.length > 0 && { displayOptions: { show } }),
		...(place &&
			place.in !== 'path' && { routing: { send: { type: place.in, property: place.name } } }),
	};
}
