import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Field } from '../declaration/field';
import { isBlank, isContainer, isObject } from '../values';
import { listOf, numberWithin, oneOf, toText, wholeNumber } from '../declaration/schemas';
import { DAYS, type Hours } from './allowedHours';
import { readNumbers, type SortedNumbers } from './doNotContact';
import { isTimezone } from './localTime';

/** The longest time in which somebody is not contacted again, in hours: a year. */
const MAX_HOURS = 8_760;

/** A time of the day as minutes after midnight. */
const time = z.preprocess(
	toText,
	z
		.string({ message: 'expected a time, e.g. 09:00' })
		.trim()
		.regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/, 'expected a time from 00:00 to 23:59, e.g. 09:00')
		.transform((text) => {
			const [hours = '', minutes = ''] = text.split(':');
			return Number(hours) * 60 + Number(minutes);
		}),
);

const hours: z.ZodType<Hours, z.ZodTypeDef, unknown> = z.object({
	days: z
		.array(z.enum(DAYS, { message: `expected days: ${DAYS.join(', ')}` }), {
			message: 'expected a list of days',
		})
		.default([]),
	from: time,
	to: time,
});

/** In the order of the week. */
const DAY_OPTIONS = Object.entries({
	mon: 'Monday',
	tue: 'Tuesday',
	wed: 'Wednesday',
	thu: 'Thursday',
	fri: 'Friday',
	sat: 'Saturday',
	sun: 'Sunday',
}).map(([value, name]) => ({ name, value }));

/** An object of another shape is no hours at any time: it is refused. */
const rowsOf = (value: IDataObject): unknown =>
	Object.keys(value).length === 0 ? [] : value.values;

const allowedHours: Field<Hours[]> = {
	property: {
		displayName: 'Allowed Hours',
		name: 'allowedHours',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add Hours',
		description:
			'When people may be reached. Items outside these hours are held back. Without any hours, people may be reached at any time.',
		options: [
			{
				displayName: 'Hours',
				name: 'values',
				values: [
					{
						displayName: 'Days',
						name: 'days',
						type: 'multiOptions',
						options: DAY_OPTIONS,
						default: ['mon', 'tue', 'wed', 'thu', 'fri'],
						description: 'The days on which these hours begin. Select none for every day.',
					},
					{
						displayName: 'From',
						name: 'from',
						type: 'string',
						default: '09:00',
						placeholder: 'e.g. 09:00',
						description: 'When the hours begin, as HH:mm',
					},
					{
						displayName: 'To',
						name: 'to',
						type: 'string',
						default: '18:00',
						placeholder: 'e.g. 18:00',
						description:
							'When the hours end, as HH:mm, and 00:00 for midnight. A time before From is on the next day; the same time as From means the whole day.',
					},
				],
			},
		],
	},
	isStrict: true,
	schema: z.preprocess(
		(value) => (isObject(value) ? rowsOf(value) : value),
		listOf(hours, 'expected rows of days, from and to'),
	),
};

const timezone: Field<string | undefined> = {
	property: {
		displayName: 'Timezone',
		name: 'timezone',
		type: 'string',
		default: '',
		placeholder: 'e.g. Europe/Berlin',
		description:
			'The time zone of Allowed Hours, by its IANA name. Use an expression for the zone of each contact. Leave empty for the time zone of the workflow.',
	},
	schema: z.preprocess(
		(value) => (isBlank(value) ? undefined : value),
		z
			.string({ message: 'expected a time zone, e.g. Europe/Berlin' })
			.trim()
			.refine(isTimezone, 'expected the IANA name of a time zone, e.g. Europe/Berlin')
			.optional(),
	),
};

const doNotContact: Field<SortedNumbers> = {
	property: {
		displayName: 'Do Not Contact',
		name: 'doNotContact',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. +4915112345678, +15551234567',
		description:
			'Phone numbers that are never reached, separated by commas, semicolons or line breaks, or an array from an expression. If one of them cannot be read, the item fails and nothing is sent.',
	},
	isStrict: true,
	schema: z.unknown().transform((value, context): SortedNumbers => {
		const list = readNumbers(value);
		if ('numbers' in list) return list.numbers;
		context.addIssue({ code: 'custom', message: list.problem });
		return z.NEVER;
	}),
};

const notAgainWithin: Field<number> = {
	property: {
		displayName: 'Not Again Within',
		name: 'notAgainWithin',
		type: 'number',
		default: 0,
		typeOptions: { minValue: 0, maxValue: MAX_HOURS },
		description:
			'How many hours must pass before this node contacts the same person again, 0 for no limit',
	},
	isStrict: true,
	schema: numberWithin(0, MAX_HOURS),
};

const maxPeople: Field<number> = {
	property: {
		displayName: 'Max People',
		name: 'maxPeople',
		type: 'number',
		default: 0,
		typeOptions: { minValue: 0 },
		description:
			'How many items one run may have, 0 for no limit. If there are more, nothing is sent at all. The lowest value of all items counts.',
	},
	isStrict: true,
	schema: wholeNumber(0, Number.MAX_SAFE_INTEGER),
	isHiddenInTool: true,
};

const heldBackItems: Field<'output' | 'leaveOut'> = {
	property: {
		displayName: 'Held-Back Items',
		name: 'heldBackItems',
		type: 'options',
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
		description:
			'What to do with items that Allowed Hours, Do Not Contact or Not Again Within holds back',
	},
	schema: oneOf('output', 'leaveOut'),
	isHiddenInTool: true,
};

/** The rules of contact: options of the operations that reach one person by phone number. */
export const contactRules: readonly Field[] = [
	allowedHours,
	doNotContact,
	heldBackItems,
	maxPeople,
	notAgainWithin,
	timezone,
];

/** What the rules of contact of an item say, as the schemas of {@link contactRules} have read them. */
export const rulesSchema = z.object({
	/** None: always. */
	allowedHours: z.custom<readonly Hours[]>(Array.isArray),
	/** The workflow's if absent. */
	timezone: timezone.schema,
	doNotContact: z.custom<SortedNumbers>(isContainer),
	/** Hours, 0 for no limit. */
	notAgainWithin: notAgainWithin.schema,
	/** 0 for no limit. */
	maxPeople: maxPeople.schema,
	heldBackItems: heldBackItems.schema,
});

export type ContactRules = z.output<typeof rulesSchema>;
