import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { anyText } from '../anyText';
import type { Reports } from './report';

/** What stands in texts and settings, by the reports in README.md. */
const odd = fc.constantFrom(
	...['{{ $json.secret }}', '={{ 1 + 1 }}', '{"a": {b}}', '$& $1', 'a=1&b=%2B+'],
	...['🎉'.slice(0, 1), ' ', '\r\n'],
);

/** n8n-io/n8n#25821: braces; vertesia/llumiverse#462: half an emoji; nocodb/nocodb#6822: &=%. */
export const message = fc
	.array(fc.oneof(odd, anyText), { minLength: 1 })
	.map((parts) => parts.join(''))
	.filter((whole) => whole.trim() !== '');

/**
 * n8n-io/n8n#18582, n8n-io/n8n#14456: dots; n8n-io/n8n#895, langgenius/dify#38963: false, 0 and
 * nothing.
 */
export const attributes: IDataObject = {
	'Test 2.0': 'x',
	'a.b[0]': { 'c.': false },
	zero: 0,
	none: null,
	'': '',
};

/** Two ways to enter {@link attributes}, or one of them, and what is sent. */
export const ATTRIBUTES: readonly (readonly [values: INodeParameters, sent: IDataObject])[] = [
	[{ specifyAttributes: 'json', attributesJson: '={{ $json.attributes }}' }, attributes],
	[
		{
			specifyAttributes: 'fields',
			attributes: { values: [{ name: 'Test 2.0', value: '={{ $json.attributes.zero }}' }] },
		},
		{ 'Test 2.0': '0' },
	],
];

/**
 * n8n-io/n8n#895, node-red/node-red#1333: false and 0 vanish; n8n-io/n8n#34409: a date is a number.
 * What is sent of the values of a custom field; nothing if the item is refused.
 */
export const CUSTOM_FIELDS: readonly (readonly [
	value: IDataObject[string],
	sent: string | undefined,
])[] = [
	[0, '0'],
	[46205, '46205'],
	['2026-07-02T00:00:00.000Z', '2026-07-02T00:00:00.000Z'],
	[false, undefined],
	[{ a: 1 }, undefined],
];

/**
 * CodeforAustralia/school-finder#20: an error of a spreadsheet; keymetrics/pm2-plus-tech-questions#154: a
 * date that is none. What stands in a text where something else was meant; nobody gets it.
 */
export const LOST_IN_TEXTS: readonly (readonly [entered: string, item: IDataObject])[] = [
	['=Hello {{ $json.name }}', { name: '#N/A' }],
	['={{ $json.name }}', { name: '#REF!' }],
	['={{ "On " + new Date($json.on) }}', { on: 'tomorrow' }],
	['=On {{ DateTime.fromISO($json.on).toISODate() ?? DateTime.fromISO($json.on) }}', { on: 'x' }],
];

/**
 * marcoarment/secondcrack#27: line breaks of other systems; Pagefind/pagefind#557: a line of what
 * prints nothing. Texts of two paragraphs.
 */
export const TWO_PARAGRAPHS = ['One\r\rTwo', 'One\r\n\r\nTwo', 'One\n\u200b\nTwo', 'One\n \nTwo'];

/**
 * n8n-io/n8n#19003, nyaruka/goflow#805: quotes and line breaks. The attributes that are sent with
 * each note, or that its item is refused.
 */
export const NOTES: readonly (readonly [
	note: string,
	sent: IDataObject | 'no attributes' | 'refused',
])[] = [
	['“Hello”', { customField1: '“Hello”' }],
	['He said "yes"', 'refused'],
	['two\nlines', 'refused'],
	['', 'no attributes'],
];

export const JSON_OF_NOTE = '={ "customField1": "{{ $json.note }}" }';

/** happybara-io/WorkflowBuddy#28: curly quotes. */
export const CURLY_JSON = '{ “customField1”: “Ada” }';

/** n8n-io/n8n#27287: a pipe in a key. */
export const KEY = 'ab|cd';

/** sendgrid/sendgrid-nodejs#732: a line break; socratic-ai/cosmo-ai#4: a mark of the file. */
export const PASTED_KEYS = ['ab|cd\n', '\ufeffab|cd', ' ab|cd\r\n'];
export const BROKEN_KEYS = ['ab|\ncd', 'ab|cd\u200b', '“ab|cd”'];

/** Would-You-Bot/client#333, iamkun/dayjs#2445, JM-Lemmi/ical-relay#72: zones that are none. */
export const ZONES: readonly (readonly [zone: string, isRead: boolean])[] = [
	['Europe/Berlin ', true],
	['Berlin', false],
	['Pakistan', false],
	['AEST', false],
	['W. Europe Standard Time', false],
	['GMT+2', false],
	['America/New York', false],
];

export const RULES_OF_ZONE: INodeParameters = {
	allowedHours: '00:00-24:00',
	timezone: '={{ $json.zone }}',
};

const byNumber = { allowedHours: '00:00-24:00', timezoneFromNumber: '={{ $json.cell }}' };

/** A rule with a cell that is empty, or text: nobody is called. */
export const CELLS: Reports<[rules: INodeParameters, item: IDataObject]> = [
	['n8n-io/n8n#17147', { atMostPerRun: '={{ $json.cell }}' }, { cell: null }],
	['docs.simplified-webhooks.com/field-types', byNumber, {}],
	['isaacphi/mcp-gdrive#22', byNumber, { cell: "'TRUE" }],
];

/** Hours in Bogota, when a call is due, and when it may be made. */
export const HOURS: Reports<[hours: string, due: string, made: string]> = [
	['hkjarral/AVA-AI-Voice-Agent-for-Asterisk#539', '9:00-17:00', '2026-07-20T14:00Z', 'then'],
	['tlemens/time_of_day_attr#1', '09:00-24:00', '2026-07-21T04:59Z', 'then'],
	['tlemens/time_of_day_attr#1', '09:00-24:01', '2026-07-20T17:00Z', 'refused'],
	['instedd/surveda#1602', '09:00-20:00', '2026-12-08T00:37Z', 'then'],
	['instedd/surveda#1602', '09:00-20:00', '2026-12-08T01:00Z', '2026-12-08T09:00:00-05:00'],
	['ZoneMinder/zmeventnotificationNg#52', '19:00-07:00', '2026-09-22T03:00Z', 'then'],
];

/** Numbers that were put into other zones, and where they are. */
export const ZONES_OF_NUMBERS: Reports<[number: string, zone: string]> = [
	['google/libphonenumber#1133', '+16235529111', 'America/Phoenix'],
	['google/libphonenumber#667', '+15342201462', 'America/Chicago'],
	['google/libphonenumber#1369', '+16846227100', 'Pacific/Pago_Pago'],
];
