import type { Field } from '../declaration/field';
import type { Operation } from '../declaration/operation';
import { optionsField, rulesField } from '../declaration/options';
import { loneRules, rulesThatCount } from '../rules/contactRules';
import { isBlank, isObject } from '../values';
import { readFields, type FieldValues, type ParameterReader, type Reading } from './reading';

/**
 * Reads the options that are shown; one that was not added has its default. One that was added and is blank is a problem,
 * unless it may be blank (rule 8).
 *
 * @param isTool true if an agent runs the node, where an option can have another default
 * @param settings the values that decide what is shown
 */
export function readOptions(
	{ options }: Operation,
	readParameter: ParameterReader,
	isTool: boolean,
	settings: FieldValues,
): Reading {
	return readAdded(optionsField, readParameter, (added) =>
		readFields(
			options,
			({ property: { name, default: preset }, mayBeBlank, toolDefault = preset }) => {
				if (!(name in added)) return isTool ? toolDefault : preset;
				if (isBlank(added[name]) && mayBeBlank !== true) throw new Error(BLANK_OPTION);
				return added[name];
			},
			settings,
		),
	);
}

const BLANK_OPTION =
	'the option was added, but its value is empty. Correct it, or remove the option';

/** Reads the rules of contact that were added. One whose expression gives nothing is a problem: a rule must not vanish. */
export const readRules = ({ rules = [] }: Operation, readParameter: ParameterReader): Reading =>
	readAdded(rulesField, rules.length > 0 ? readParameter : () => ({}), (added) => {
		const counting = rulesThatCount(added);
		const lone = loneRules(added);
		const reading = readFields(
			rules.filter(({ property }) => property.name in counting),
			({ property }) => counting[property.name],
		);
		return {
			...reading,
			problems: [...reading.problems, ...lone.values()],
			faulty: [...reading.faulty, ...lone.keys()],
		};
	});

/**
 * Reads the entries of a collection that were added. A value that is no collection is a problem, and has no entries. The
 * entries that have problems are named as n8n does, e.g. "options.timeout".
 */
function readAdded(
	collection: Field,
	readParameter: ParameterReader,
	readEntries: (added: FieldValues) => Reading,
): Reading {
	const { values, problems, faulty } = readFields([collection], readParameter);
	const { name } = collection.property;
	const added = values[name];
	const reading = readEntries(isObject(added) ? added : {});
	return {
		...reading,
		problems: [...problems, ...reading.problems],
		faulty: [...faulty, ...reading.faulty.map((entry) => `${name}.${entry}`)],
	};
}
