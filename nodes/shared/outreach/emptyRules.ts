import { isBlank, isObject, joinTexts, toPlainText } from '../values';
import { allowedHours, contactRules } from './contactRules';

/** The rules of which 0 sets no limit. */
const LIMITS = ['notAgainWithin', 'atMostContacts', 'maxPeople'];

const EMPTY_LIST =
	'"Do Not Contact" is empty: it names nobody. Enter the numbers, or remove the rule.';

const usualHours = toPlainText(allowedHours.property.default);

const LEFT_OVER = `"Allowed Hours" begins with "${usualHours}", as n8n has added it, and an expression stands behind that. Where the expression gives nothing, these hours count. Replace the whole text.`;

/**
 * Names the rules that are 0 or blank in the node and so do nothing, and hours to which an expression was only added, in
 * sentences; empty if there are none. Who adds a rule wants it to do something. An expression that gives 0 or nothing is
 * meant so for its item, or fails it.
 *
 * @param added the rules as they stand in the node
 */
export function describeEmptyRules(added: unknown): string {
	if (!isObject(added)) return '';
	const names = contactRules.flatMap(({ property: { name, displayName } }) =>
		LIMITS.includes(name) && added[name] === 0 ? [`"${displayName}"`] : [],
	);
	const isListEmpty = 'doNotContact' in added && isBlank(added.doNotContact);
	const hours = toPlainText(added.allowedHours).replaceAll(/\s/g, '');
	const isLeftOver = hours.startsWith(`=${usualHours.replaceAll(/\s/g, '')}{{`);
	return joinTexts([
		isListEmpty ? EMPTY_LIST : '',
		describeLimits(names),
		isLeftOver ? LEFT_OVER : '',
	]);
}

function describeLimits(names: readonly string[]): string {
	if (names.length === 0) return '';
	return names.length === 1
		? `${names.join()} is 0: it sets no limit. Enter one, or remove the rule.`
		: `${names.join(', ')} are 0: they set no limit. Enter one, or remove the rules.`;
}
