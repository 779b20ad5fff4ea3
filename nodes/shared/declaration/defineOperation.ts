import type { FieldNames } from '../answer/namedFields';
import type { Field } from './field';
import type { Declaration, Operation } from './operation';
import { optionsOf } from './options';
import { describeParameters } from './routing';

/** Makes an operation of what its author has written: its options, its path, and what n8n sees of it. */
export function defineOperation<Choice extends string>({
	recipient,
	writesFor = [],
	fallback,
	...facts
}: Declaration<Choice>): Operation {
	const { fields, request } = facts;
	const options = optionsOf(facts);
	const placed = [...fields, ...options];
	const described = { ...facts, options, path: request.url.split(/\{(\w+)\}/) };
	return {
		...described,
		fieldNames: fieldNamesOf(placed),
		recipient: recipient && placeOf(recipient, fields),
		writesFor: writesFor.map((field) => placeOf(field, placed)),
		fallback: fallback && { ...fallback, field: fallback.field.property.name },
		properties: describeParameters(described),
	};
}

/** Of several fields that fill the same property, such as one and its JSON, the first counts. */
const fieldNamesOf = (fields: readonly Field[]): FieldNames =>
	Object.fromEntries(
		fields
			.flatMap(({ place, property }): [string, string][] =>
				place ? [[place.name, property.displayName]] : [],
			)
			.reverse(),
	);

/** The request property that a field fills; its own name if it fills none. */
function placeOf({ property: { name } }: Field, fields: readonly Field[]): string {
	return fields.find(({ property }) => property.name === name)?.place?.name ?? name;
}
