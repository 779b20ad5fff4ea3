import { contactRules } from '../../shared/rules/contactRules';

/** What holds for each operation that reaches the person at To Number: never twice by itself. */
export const toPerson = {
	recipient: 'toNumber',
	writesFor: ['toNumber'],
	rules: contactRules,
	repeatable: false,
} as const;

export const messaging = { ...toPerson, done: 'sent', reaches: 'messaged' } as const;
