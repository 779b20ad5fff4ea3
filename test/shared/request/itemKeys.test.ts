import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	createInputHash,
	digest,
	itemHashOf,
	itemKeys,
	keysToSend,
	subjectOf,
} from '../../../nodes/shared/request/itemKeys';
import { operationOf, planOf } from '../samples';

const CALL = operationOf('call.place');
const MESSAGE = operationOf('msgapp.continueConversation');

const hashOf = (
	parameters: INodeParameters,
	item: IDataObject = { id: 1 },
	operation = CALL,
): string =>
	createInputHash(operation, { resource: 'call', operation: 'place', ...parameters })(item);

describe('the hash of what was entered', () => {
	const entered = hashOf({ toNumber: '={{ $json.phone }}' });

	test('has two parts of 22 characters', () => {
		expect(entered).toMatch(/^[\w-]{22}\.[\w-]{22}$/);
	});

	test.each<[string, INodeParameters]>([
		['a field', { toNumber: '={{ $json.mobile }}' }],
		['the operation', { toNumber: '={{ $json.phone }}', operation: 'other' }],
		['the resource', { toNumber: '={{ $json.phone }}', resource: 'other' }],
		['an option that is sent', { toNumber: '={{ $json.phone }}', options: { workspaceId: 'x' } }],
	])('changes with %s', (_, parameters) => {
		expect(hashOf(parameters)).not.toBe(entered);
		expect(itemHashOf(hashOf(parameters))).toBe(itemHashOf(entered));
	});

	test('changes with the input item, in its second part', () => {
		const other = hashOf({ toNumber: '={{ $json.phone }}' }, { id: 2 });

		expect(other.split('.')[0]).toBe(entered.split('.')[0]);
		expect(itemHashOf(other)).not.toBe(itemHashOf(entered));
	});

	test.each<[string, INodeParameters]>([
		['an option about the delivery', { options: { timeout: 5, maxWait: 7 } }],
		['options that are no collection', { options: 'x' }],
		['a default that is entered', { contactRules: {}, reference: '' }],
	])('does not change with %s', (_, parameters) => {
		expect(hashOf({ toNumber: '={{ $json.phone }}', ...parameters })).toBe(entered);
	});

	test('holds the fields of the request that may go out instead', () => {
		const of = (templateName: string) => hashOf({ templateName }, {}, MESSAGE);

		expect(of('reminder')).not.toBe(of('welcome'));
	});

	test('of another operation is another one, for the same input item', () => {
		expect(itemHashOf(hashOf({}, {}, MESSAGE))).not.toBe(itemHashOf(hashOf({}, {}, CALL)));
	});
});

describe('the keys of an item', () => {
	const { main } = planOf('call.place');
	const identity = {
		operation: CALL,
		inputHash: 'entered.item',
		recipient: '+4915112345678',
		isRedirected: false,
	};
	const redirected = { ...identity, isRedirected: true };

	test('stay the same in every release, because n8n saves them', () => {
		const request = { ...main, url: '/v1/call', body: { toNumber: '+4915112345678' } };

		expect(keysToSend(identity, { main: request })).toEqual({
			inputHash: 'entered.item',
			recipientHash: 'r_BDxtkPAwLiXxfG-iAWwa',
			requestHash: 'FKW_JDQ-w_hUlhrlkUezTM',
		});
		expect(keysToSend(redirected, { main: request })).toEqual({
			inputHash: 'redirected entered.item',
			recipientHash: 'ZSI4v7AF__vpeQSnayHtQa',
			requestHash: 'O-uA0Y22X2-6NN9e4uQhPP',
		});
		const reading = { ...identity, recipient: undefined };
		expect(keysToSend(reading, { main: { ...request, body: undefined } })).toEqual({
			inputHash: 'entered.item',
			requestHash: 'gKmmM5I1RMoDQl1ne-bSG3',
		});
	});

	test('of an item that is refused have no request', () => {
		const { requestHash, ...keys } = keysToSend(identity, { main });

		expect(itemKeys(identity)).toEqual(keys);
		expect(requestHash).toHaveLength(22);
	});

	test('know nobody by a recipient that is no text', () => {
		for (const recipient of [undefined, null, 4915112345678])
			expect(itemKeys({ ...identity, recipient })).toEqual({ inputHash: 'entered.item' });
	});

	test('know whom they are for, also if the test number is reached instead', () => {
		const keysFor = (recipient: string) => keysToSend({ ...identity, recipient }, { main });

		expect(keysFor('+4915112345679').recipientHash).not.toBe(
			keysFor('+4915112345678').recipientHash,
		);
		expect(keysFor('+4915112345679').requestHash).not.toBe(keysFor('+4915112345678').requestHash);
	});

	test('know a request by all that is sent, and by each of its requests', () => {
		const hashes = [
			{ main },
			{ main: { ...main, method: 'GET' as const } },
			{ main: { ...main, url: '/v1/other' } },
			{ main: { ...main, body: { ...main.body, more: 1 } } },
			{ main, fallback: main },
		].map((requests) => keysToSend(identity, requests).requestHash);

		expect(new Set(hashes).size).toBe(hashes.length);
	});

	test('keep their scope in the part of the input item', () => {
		expect(itemHashOf('entered.item')).toBe('item');
		expect(itemHashOf('redirected entered.item')).toBe('redirected item');
		expect(itemHashOf('')).toBe('');
	});

	test('name whom an item reaches before its request', () => {
		expect(subjectOf({ inputHash: 'i', requestHash: 'r', recipientHash: 'p' })).toBe('p');
		expect(subjectOf({ inputHash: 'i', requestHash: 'r' })).toBe('r');
		expect(subjectOf({ inputHash: 'i' })).toBeUndefined();
	});
});

test('a digest has 22 characters', () => {
	expect(digest('')).toBe('47DEQpj8HBSa-_TImW-5JC');
});
