import type { INodeParameters } from 'n8n-workflow';

import type { EndpointName } from '../simulator/endpoints';
import { ASSISTANT_ID, FROM_NUMBER } from '../simulator/seed';
import { runNode } from './engine';
import { credentialFor, useSimulator } from './world';

const simulator = useSimulator();

/** With On Error and Retry On Fail, and an answer that the service gives after it acted. */
async function runTwice(parameters: INodeParameters, body: unknown, status = 200) {
	simulator().addFault({ kind: 'respond', status, body });
	return await runNode({
		credential: credentialFor(simulator()),
		parameters: { assistantId: ASSISTANT_ID, options: {}, ...parameters },
		settings: {
			onError: 'continueRegularOutput',
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 1,
		},
	});
}

const acted = (endpoint: EndpointName): number => simulator().processed(endpoint).length;

const bulkCampaign = (campaignName: string): INodeParameters => ({
	resource: 'campaign',
	operation: 'createBulk',
	campaignName,
	campaignType: 'call',
	fromNumber: FROM_NUMBER,
	sheetUrl: 'https://example.com/contacts.xlsx',
});

const call: INodeParameters = {
	resource: 'call',
	operation: 'place',
	fromNumber: FROM_NUMBER,
	toNumber: '+4915112345678',
};

const setLock: INodeParameters = { resource: 'assistant', operation: 'setLock', locked: true };

test.each([
	'Account upgrade reminder',
	'Conversation not found follow-up',
	'API key not valid notice',
	'Internal server error',
	'a',
])('a campaign named "%s" is triggered once', async (name) => {
	const message = `${name} has been triggered`;

	const { items } = await runTwice(bulkCampaign(name), { message });

	expect(items.map(({ json }) => json)).toEqual([{ message, campaignId: null }]);
	expect(acted('createBulkCampaign')).toBe(1);
});

test('a campaign whose name is all that the answer says is triggered once', async () => {
	const { items } = await runTwice(bulkCampaign('Server error'), { message: '"Server error"' });

	expect(items[0]?.json).toMatchObject({ message: '"Server error"' });
	expect(acted('createBulkCampaign')).toBe(1);
});

test('an answer of success that refuses is a refusal', async () => {
	const { items } = await runTwice(bulkCampaign('Spring'), { message: 'API key not valid' });

	expect(items[0]?.json.details).toMatchObject({ kind: 'invalidApiKey', outcome: 'refused' });
});

test.each<[name: string, parameters: INodeParameters, endpoint: EndpointName, body: unknown]>([
	['a call with an unknown status', call, 'placeCall', { status: 'failed', callId: 'c' }],
	[
		'an SMS with success: false',
		{ ...call, resource: 'sms', operation: 'start', message: 'Hello' },
		'startSms',
		{ success: false, msg: 'Failed to send SMS' },
	],
])('%s is no success, and is not sent again', async (_, parameters, endpoint, body) => {
	const { items } = await runTwice(parameters, body);

	expect(items[0]?.json.details).toMatchObject({ kind: 'badResponse', outcome: 'unknown' });
	expect(acted(endpoint)).toBe(1);
});

test('a lock with success: false is refused', async () => {
	const body = { success: false, assistant: { id: ASSISTANT_ID, locked: true } };

	const { items } = await runTwice(setLock, body);

	expect(items[0]?.json.details).toMatchObject({ kind: 'badResponse', outcome: 'refused' });
});

test('the status of a call is understood in any case', async () => {
	const { items } = await runTwice(call, { callId: 'c', status: 'Queued', error: '' }, 202);

	expect(items[0]?.json).toMatchObject({ callId: 'c', status: 'queued', queued: true });
});

describe.each([201, 1_000, 8_000, 100_000])('an answer that is nested %i deep', (depth) => {
	const nested = (before: string): string =>
		`{${before},"a":${'{"a":'.repeat(depth - 2)}{}${'}'.repeat(depth - 1)}`;

	test('of a call: nobody can say what became of it, and it is not placed again', async () => {
		const { items, error } = await runTwice(call, nested('"callId":"c","status":"placed"'), 201);

		expect(error).toBeUndefined();
		expect(items[0]?.json.details).toMatchObject({
			kind: 'badResponse',
			outcome: 'unknown',
			httpStatus: 201,
		});
		expect(acted('placeCall')).toBe(1);
	});

	test('of a refusal: its status counts', async () => {
		simulator().addFault({ kind: 'respond', status: 403, process: false, body: nested('"b":1') });

		const { items } = await runTwice(call, undefined);

		expect(items[0]?.json.details).toMatchObject({ kind: 'forbidden', outcome: 'refused' });
	});
});

test('an answer that is nested 200 deep is taken', async () => {
	const body = `{"callId":"c","status":"placed","a":${'['.repeat(199)}${']'.repeat(199)}}`;

	const { items } = await runTwice(call, body, 201);

	expect(items[0]?.json).toMatchObject({ callId: 'c', status: 'placed' });
});
