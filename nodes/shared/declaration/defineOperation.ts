import type { FieldNames } from '../answer/namedFields';
import type { Field } from './field';
import type { Declaration, Operation } from './operation';
import { findFlaw } from './operationFlaws';
import { optionsOf } from './options';
import { describeParameters } from './routing';

/**
 * Makes an operation of what its author has written: its options, its path, and what n8n sees of it.
 *
 * @throws Error that names the operation and what is wrong with it, see {@link findFlaw}
 */
export function defineOperation<Choice extends string>(
	declaration: Declaration<Choice>,
): Operation {
	const rules = declaration.rules === 'none' ? undefined : declaration.rules;
	const {
		request,
		fields,
		recipient,
		writesFor = [],
		before,
		fallback,
		...facts
	} = {
		...declaration,
		rules,
	};
	const options = optionsOf({ ...declaration, rules });
	const placed = [...fields, ...options];
	const path = request.url.split(/\{(\w+)\}/);
	const described = { fields, options, path, rules: facts.rules, notice: facts.notice };
	const operation: Operation = {
		...facts,
		...described,
		request,
		fieldNames: fieldNamesOf(placed),
		query: placed.flatMap(({ place }) => (place?.in === 'query' ? [place.name] : [])),
		recipient: recipient && placeOf(recipient, fields),
		writesFor: writesFor.map((field) => placeOf(field, placed)),
		before: before && { ...before, option: before.option.property.name },
		fallback: fallback && { ...fallback, field: fallback.field.property.name },
		properties: describeParameters(described),
	};
	const flaw = findFlaw(operation, declaration);
	if (flaw !== undefined) throw new Error(`${operation.name}: ${flaw}`);
	return operation;
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

/** The request property that a field fills. A field without one gives its own name, which {@link findFlaw} then refuses. */
function placeOf({ property: { name } }: Field, fields: readonly Field[]): string {
	return fields.find(({ property }) => property.name === name)?.place?.name ?? name;
}
