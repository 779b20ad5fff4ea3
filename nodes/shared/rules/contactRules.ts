import { z } from 'zod';

import { unexpected } from '../answer/valueFault';
import { defineField, flagField, hoursField, menuField, numberField } from '../declaration/field';
import { rulesField } from '../declaration/options';
import { label, parsedBy } from '../declaration/schemas';
import { isBlank, isContainer, toPlainText } from '../values';
import type { Hours } from './allowedHours';
import { readNumbers, type Numbers } from './doNotContact';
import { readHours } from './hoursText';
import { isTimezone } from './localTime';

/** In which contacts are counted unless another time is set, in days. */
const USUAL_DAYS = 7;

export const allowedHours = defineField({
	displayName: 'Allowed Hours',
	name: 'allowedHours',
	type: 'string',
	typeOptions: { rows: 2 },
	default: 'Mon-Fri 09:00-18:00',
	placeholder: 'e.g. Mon-Fri 09:00-18:00; Sat 10:00-14:00',
	description:
		"When people may be reached, e.g. Mon-Fri 09:00-18:00; Sat 10:00-14:00. Without days: every day. In the workflow's time zone, unless you add Timezone or Timezone From Number.",
	schema: parsedBy(
		z.string({ message: 'expected hours as text, e.g. Mon-Fri 09:00-18:00' }),
		readHours,
	),
});

const timezone = defineField({
	displayName: 'Timezone',
	name: 'timezone',
	type: 'string',
	default: '',
	placeholder: 'e.g. Europe/Berlin',
	description:
		'The time zone of Allowed Hours, by its IANA name. Use an expression for the zone of each contact. Without this rule: the time zone of the workflow.',
	schema: parsedBy(z.unknown(), (value) => {
		const name = toPlainText(value);
		if (isTimezone(name)) return { kind: 'read', value: name };
		return unexpected(value, 'expected the IANA name of a time zone, e.g. Europe/Berlin');
	}),
});

const timezoneFromNumber = flagField({
	displayName: 'Timezone From Number',
	name: 'timezoneFromNumber',
	default: false,
	needs: ['allowedHours'],
	description:
		'Whether Allowed Hours must hold in all time zones that the number can be in. Timezone wins where it is given.',
});

const doNotContact = defineField({
	displayName: 'Do Not Contact',
	name: 'doNotContact',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. +4915112345678, +15551234567',
	description:
		'Phone numbers never to reach, as an array, or separated by commas, semicolons or line breaks. Without + or 00, every number with that end is held back.',
	schema: parsedBy(z.unknown(), readNumbers),
	mayBeBlank: true,
});

const notAgainWithin = hoursField(365 * 24, {
	displayName: 'Not Again Within',
	name: 'notAgainWithin',
	default: 24,
	description:
		'How many hours must pass before any workflow contacts the same person again. Needs the contact book of the credential.',
});

const atMostContacts = numberField(1, Number.MAX_SAFE_INTEGER, {
	displayName: 'At Most Contacts',
	name: 'atMostContacts',
	default: 3,
	description:
		'How often all workflows together may contact a person within At Most Days. Needs the contact book of the credential.',
});

const atMostDays = numberField(1, 365, {
	displayName: 'At Most Days',
	name: 'atMostDays',
	default: USUAL_DAYS,
	needs: ['atMostContacts'],
	description: `Over how many days At Most Contacts counts. Without this rule: ${USUAL_DAYS}.`,
	mayBeFraction: true,
});

const atMostPerRun = numberField(1, Number.MAX_SAFE_INTEGER, {
	displayName: 'At Most per Run',
	name: 'atMostPerRun',
	default: 100,
	description:
		'How many items one run may send, in their order. The others are held back. The lowest value of all items counts.',
	isHiddenInTool: true,
});

/** The longest name of a list, in characters, and what it may not hold: nobody sees it there. */
const MAX_NAME = 100;
const UNSEEN = /[\p{Cc}\p{Cs}]|(?![\u200c\u200d\ufe0f])\p{Default_Ignorable_Code_Point}/u;

const list = defineField({
	displayName: 'List',
	name: 'list',
	type: 'string',
	default: '',
	placeholder: 'e.g. Spring 2027',
	description:
		'The name of a list. Each operation contacts a person once under this name, however often the workflow runs. Needs the contact book of the credential.',
	// A database would store others, or somebody would enter the name without them.
	schema: label
		.refine((name) => !UNSEEN.test(name), 'expected characters that can be seen')
		.refine(
			(name) => Array.from(name).length <= MAX_NAME,
			`expected at most ${MAX_NAME} characters`,
		),
});

const attempts = numberField(1, 20, {
	displayName: 'Attempts per Person',
	name: 'attempts',
	default: 3,
	needs: ['list', 'notAgainWithin'],
	description:
		'How often a person on the list is called at most, until a call has reached them. Needs List and Not Again Within.',
});

const noResultAfter = numberField(4, 720, {
	displayName: 'No Result After',
	name: 'noResultAfter',
	default: 24,
	hint: 'In hours',
	needs: ['attempts'],
	description:
		'After how many hours a call that was not heard of counts as one that did not reach the person. Needs Attempts per Person.',
	mayBeFraction: true,
});

const heldBackItems = menuField({
	displayName: 'Held-Back Items',
	name: 'heldBackItems',
	options: [
		{
			name: 'Leave Out',
			value: 'leaveOut',
			description: 'Output only items that were sent or failed',
		},
		{
			name: 'Output',
			value: 'output',
			description: 'Output held-back items with the reason and when to try again',
		},
	],
	default: 'output',
	description: 'What to do with items that a rule of contact holds back',
	isHiddenInTool: true,
});

/**
 * The rules of contact, of operations that reach one person by phone number. The `default` of a
 * rule is what n8n adds it with. It limits something, so that a rule left as added protects people.
 */
export const contactRules = [
	allowedHours,
	atMostContacts,
	atMostDays,
	atMostPerRun,
	doNotContact,
	heldBackItems,
	list,
	notAgainWithin,
	timezone,
	timezoneFromNumber,
];

/** The rules of calls, in the order of the menu: only of a call is told whether it reached them. */
export const callRules = [...contactRules, attempts, noResultAfter].sort((first, second) =>
	first.property.displayName.localeCompare(second.property.displayName),
);

/** The collection of the rules as they count. */
export const addedRules = {
	...rulesField,
	schema: rulesField.schema
		// A blank time zone is none where the number gives it.
		.transform((added) => {
			const { timezone: zone, ...withoutZone } = added;
			return added.timezoneFromNumber === true && isBlank(zone) ? withoutZone : added;
		}),
};

/** The values of all rules for an item. A rule that was not added limits nothing. */
const rulesSchema = z.object({
	/** None: always. */
	allowedHours: z.custom<readonly Hours[]>(Array.isArray).default([]),
	/** The workflow's if absent. */
	timezone: z.string().optional(),
	timezoneFromNumber: z.boolean().default(false),
	doNotContact: z.custom<Numbers>(isContainer).default(new Float64Array()),
	/** Hours, 0 for no limit. */
	notAgainWithin: z.number().default(0),
	/** Within {@link atMostDays}, 0 for no limit. */
	atMostContacts: z.number().default(0),
	atMostDays: z.number().default(USUAL_DAYS),
	/** Infinity for no limit. */
	atMostPerRun: z.number().default(Infinity),
	/** Absent if the item is of no list. */
	list: z.string().optional(),
	/** 0 if each operation contacts a person once. */
	attempts: z.number().default(0),
	/** Hours; Infinity to wait for the result of a call as long as it takes. */
	noResultAfter: z.number().default(Infinity),
	heldBackItems: heldBackItems.schema.default('output'),
});

export type ContactRules = z.output<typeof rulesSchema>;

/** Lists the rules that limit how often a person is contacted, and so need the contact book. */
export const rulesOfBook = (rules: ContactRules): { name: string; displayName: string }[] =>
	[
		...(rules.notAgainWithin > 0 ? [notAgainWithin] : []),
		...(rules.atMostContacts > 0 ? [atMostContacts] : []),
		...(rules.list === undefined ? [] : [list]),
	].map(({ property }) => property);

export const limitsContacts = (rules: ContactRules): boolean => rulesOfBook(rules).length > 0;

const NO_RULES = rulesSchema.parse({});

/** Gives an item's rules by the checked values of those added. Items without share one object. */
export const rulesOf = (added: Readonly<Record<string, unknown>>): ContactRules =>
	Object.keys(added).length === 0 ? NO_RULES : rulesSchema.parse(added);
