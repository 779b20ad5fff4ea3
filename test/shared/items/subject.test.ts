import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { createInputName, subjectOf, subjectOfCall } from '../../../nodes/shared/items/subject';
import { operationOf, planOf } from '../samples';

const CALL = operationOf('call.place');
const CHAT = operationOf('chat.start');
const MESSAGE = operationOf('msgapp.continueConversation');

const nameOf = (
	parameters: INodeParameters,
	item: IDataObject = { id: 1 },
	operation = CHAT,
): string =>
	createInputName(operation, { resource: 'chat', operation: 'start', ...parameters })(item);

describe('the name of what was entered for an input item', () => {
	const QUESTION = '={{ $json.question }}';
	const entered = nameOf({ question: QUESTION });

	test.each<[string, INodeParameters, IDataObject?]>([
		['a field', { question: '={{ $json.text }}' }],
		['the operation', { question: QUESTION, operation: 'other' }],
		['the resource', { question: QUESTION, resource: 'other' }],
		['an option that is sent', { question: QUESTION, options: { workspaceId: 'x' } }],
		['the input item', { question: QUESTION }, { id: 2 }],
	])('changes with %s', (_, parameters, ...item) => {
		expect(nameOf(parameters, ...item)).not.toBe(entered);
	});

	test.each<[string, INodeParameters]>([
		['an option about the delivery', { options: { timeout: 5, maxWait: 7 } }],
		['options that are no collection', { options: 'x' }],
		['a default that is entered', { contactRules: {}, reference: '' }],
	])('does not change with %s', (_, parameters) => {
		expect(nameOf({ question: QUESTION, ...parameters })).toBe(entered);
	});

	test('holds the fields of the request that may go out instead', () => {
		const of = (templateName: string) => nameOf({ templateName }, {}, MESSAGE);

		expect(of('reminder')).not.toBe(of('welcome'));
	});
});

describe('the subject of an item', () => {
	const { request } = planOf('call.place');
	const ADA = '+4915112345678';
	const input = (): string => 'input';

	test('stays the same in every release, because n8n saves it', () => {
		expect(subjectOf(CALL, ADA, false, input)).toBe('r_BDxtkPAwLiXxfG-iAWwa');
		expect(subjectOf(CALL, ADA, true, input)).toBe('ZSI4v7AF__vpeQSnayHtQa');
	});

	test.each([undefined, null, 4915112345678])('is not known of the recipient %j', (recipient) => {
		expect(subjectOf(CALL, recipient, false, input)).toBeUndefined();
	});

	test('is another one of another recipient, and of another operation; else the input', () => {
		const subjects = [
			subjectOf(CALL, ADA, false, input),
			subjectOf(CALL, '+4915112345679', false, input),
			subjectOf(MESSAGE, ADA, false, input),
		];

		expect(new Set(subjects).size).toBe(3);
		expect(subjectOf(CHAT, undefined, false, input)).toBe('input');
	});

	test('of a call of a tool is all that is sent, by each of its requests', () => {
		const subjects = [
			subjectOfCall(ADA, false, [request]),
			subjectOfCall('+4915112345679', false, [request]),
			...[
				[{ ...request, method: 'GET' as const }],
				[{ ...request, url: '/v1/other' }],
				[{ ...request, body: { ...request.body, more: 1 } }],
				[request, request],
			].map((requests) => subjectOfCall(ADA, false, requests)),
		];

		expect(new Set(subjects).size).toBe(subjects.length);
		expect(subjectOfCall(ADA, false, [{ ...request, timeout: 7 }])).toBe(subjects[0]);
	});
});
