import { contactRules, rulesSchema, type ContactRules } from '../outreach/options';
import { readFields, type FieldValues } from './reading';

const defaults = readFields(contactRules, ({ property }) => property.default).values;
const NO_RULES = rulesSchema.parse(defaults);

/** The rules of an item from the checked values of its options. All items without any rule share one object. */
export function rulesOf(options: FieldValues): ContactRules {
	const hasNone = Object.entries(defaults).every(([name, preset]) => options[name] === preset);
	return hasNone ? NO_RULES : rulesSchema.parse(options);
}
