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

const call: INodeParameters = {
	resource: 'call',
	operation: 'place',
	fromNumber: FROM_NUMBER,
	toNumber: '+4915112345678',
};

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

	expect(items[0]?.json).toMatchObject({ callId: 'c', result: 'placed' });
});
