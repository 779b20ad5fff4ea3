import type { INodeParameters } from 'n8n-workflow';

import { ASSISTANT_ID } from '../simulator/seed';
import { runNode } from './engine';
import { isFor } from './recipients';
import { credentialFor, numbers, placeCall, useSimulator } from './world';

const simulator = useSimulator();

const startConversation: INodeParameters = {
	resource: 'msgapp',
	operation: 'startConversation',
	assistantId: ASSISTANT_ID,
	toNumber: '+4915112345678',
	templateName: 'appointment_reminder',
	language: 'en',
	specifyAttributes: 'json',
	options: {},
};

test('an object nested so deep that n8n itself cannot read it fails alone, and before it is sent', async () => {
	const nested =
		'(() => { let a = "x"; for (let i = 0; i < $json.depth; i++) a = { a }; return a; })()';
	const { items } = await runNode({
		credential: credentialFor(simulator()),
		parameters: { ...startConversation, attributesJson: `={{ ${nested} }}` },
		items: [{ depth: 1 }, { depth: 100_000 }, { depth: 200 }],
		settings: { onError: 'continueRegularOutput' },
	});

	const message = 'Attributes (JSON): a value is nested too deeply (row 2)';
	expect(items.map(({ json }) => json.error)).toEqual([undefined, message, undefined]);
	expect(items[1]?.json.details).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
	expect(simulator().processed('startMsgapp')).toHaveLength(2);
});

test.each([200, 1_000, 8_000, 100_000])(
	'an answer that is nested more than %i deep is none, and its call is not placed again; of a refusal, its status counts',
	async (depth) => {
		const nested = `${'{"a":'.repeat(depth)}{}${'}'.repeat(depth)}`;
		const body = `{"callId":"c","status":"placed","a":${nested}}`;
		simulator().addFault({ kind: 'respond', status: 201, body, when: isFor(0) });
		simulator().addFault({ kind: 'respond', status: 403, process: false, body, when: isFor(1) });

		const { items } = await runNode({
			credential: credentialFor(simulator()),
			parameters: placeCall,
			items: numbers(2),
			settings: { onError: 'continueRegularOutput', retryOnFail: true, waitBetweenTries: 1 },
		});

		expect(items.map(({ json }) => json.details)).toMatchObject([
			{ kind: 'badResponse', outcome: 'unknown', httpStatus: 201 },
			{ kind: 'forbidden', outcome: 'refused' },
		]);
		expect(simulator().processed('placeCall')).toHaveLength(1);
	},
);
