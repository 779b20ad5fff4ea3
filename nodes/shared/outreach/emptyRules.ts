import { isBlank, isObject, joinTexts } from '../values';
import { contactRules } from './contactRules';

/** The rules of which 0 sets no limit. */
const LIMITS = ['notAgainWithin', 'atMostContacts', 'maxPeople'];

const EMPTY_LIST =
	'"Do Not Contact" is empty: it names nobody. Enter the numbers, or remove the rule.';

/**
 * Names the rules that are 0 or blank in the node and so do nothing, in sentences; empty if there are none. Who adds a rule
 * wants it to do something. An expression that gives 0 or nothing is meant so for its item, or fails it.
 *
 * @param added the rules as they stand in the node
 */
export function describeEmptyRules(added: unknown): string {
	if (!isObject(added)) return '';
	const names = contactRules.flatMap(({ property: { name, displayName } }) =>
		LIMITS.includes(name) && added[name] === 0 ? [`"${displayName}"`] : [],
	);
	const isListEmpty = 'doNotContact' in added && isBlank(added.doNotContact);
	return joinTexts([isListEmpty ? EMPTY_LIST : '', describeLimits(names)]);
}

function describeLimits(names: readonly string[]): string {
	if (names.length === 0) return '';
	return names.length === 1
		? `${names.join()} is 0: it sets no limit. Enter one, or remove the rule.`
		: `${names.join(', ')} are 0: they set no limit. Enter one, or remove the rules.`;
}
