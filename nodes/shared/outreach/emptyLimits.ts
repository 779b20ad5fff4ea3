import { isObject } from '../values';
import { contactRules } from './contactRules';

/** The rules of which 0 sets no limit. */
const LIMITS = ['notAgainWithin', 'atMostContacts', 'maxPeople'];

/**
 * Names the rules that are 0 in the node, in a sentence; empty if there are none. Who adds a rule wants it to do
 * something. An expression that gives 0 is meant so for its item.
 *
 * @param added the rules as they stand in the node
 */
export const describeEmptyLimits = (added: unknown): string => {
	const names = contactRules.flatMap(({ property: { name, displayName } }) =>
		LIMITS.includes(name) && isObject(added) && added[name] === 0 ? [`"${displayName}"`] : [],
	);
	if (names.length === 0) return '';
	return names.length === 1
		? `${names.join()} is 0: it sets no limit. Enter one, or remove the rule.`
		: `${names.join(', ')} are 0: they set no limit. Enter one, or remove the rules.`;
};
