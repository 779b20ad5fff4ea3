import type { IWebhookFunctions } from 'n8n-workflow';

import {
	callIdOf,
	callIdPropertyOf,
	isPlaceholder,
	readCallIdProperty,
} from '../../nodes/AssistantServiceTrigger/callId';

/** A trigger whose option has this value; `undefined` if it was not added. */
const triggerWith = (option: unknown) =>
	({
		getNodeParameter: (name: string, fallback: unknown) =>
			name === 'options.callIdProperty' && option !== undefined ? option : fallback,
	}) as unknown as IWebhookFunctions;

test.each<[option: unknown, property: string]>([
	[undefined, 'callId'],
	[null, 'callId'],
	['', 'callId'],
	['  ', 'callId'],
	[' call_id ', 'call_id'],
	['Summary', 'Summary'],
])('the option %j names the property %s', (option, property) => {
	expect(readCallIdProperty(triggerWith(option))).toBe(property);
	expect(callIdPropertyOf(triggerWith(option))).toBe(property);
});

test.each<[option: unknown, problem: string]>([
	[7, 'it is not the name of a property'],
	[{}, 'it is not the name of a property'],
	...['summary', ' transcript', 'callStartTime'].map((option): [string, string] => [
		option,
		`"${option.trim()}" is not the ID of a call: several calls can have the same value`,
	]),
])('the option %j names none', (option, problem) => {
	expect(() => readCallIdProperty(triggerWith(option))).toThrow(new Error(problem));
	expect(callIdPropertyOf(triggerWith(option))).toBeNull();
});

test('without a property no event has an ID', () => {
	expect(callIdOf({ null: 'c-1' }, null)).toBeNull();
	expect(callIdOf({ null: 'c-1' }, 'null')).toBe('c-1');
});

test('every placeholder is one, and nothing that is longer', () => {
	expect(['', ' ', 'N/A', 'NULL', 'Undefined', ' 0 ', 0, null].every(isPlaceholder)).toBe(true);
	expect(['none', 'undefined-1', '00', false, undefined, {}].some(isPlaceholder)).toBe(false);
});
