import type { INodeParameters } from 'n8n-workflow';

import { ASSISTANT_ID, FROM_NUMBER } from '../simulator/seed';
import { runNode } from './engine';
import { isFor } from './recipients';
import { callsByRecipient, credentialFor, numbers, placeCall, useSimulator } from './world';

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

test('an expression that sorts the items changes nobody who is called', async () => {
	const changed = '$input.all().sort((one, other) => other.json.to.localeCompare(one.json.to))';
	const people = numbers(5);
	const list = `={{ ${changed}.length > 9 ? $json.to : '' }}`;

	const { items } = await runNode({
		credential: credentialFor(simulator()),
		parameters: {
			...placeCall,
			contactRules: { doNotContact: list, timezone: '={{ $json.zone }}' },
		},
		items: people.map(({ to }) => ({ to, zone: 'UTC' })),
	});

	expect(items).toHaveLength(people.length);
	expect(callsByRecipient(simulator())).toEqual(
		Object.fromEntries(people.map(({ to }) => [to, 1])),
	);
});

test('dates are sent as ISO 8601, in each text alike, and what an expression has lost is not sent', async () => {
	const parameters: INodeParameters = {
		...{ resource: 'sms', operation: 'start', assistantId: ASSISTANT_ID, fromNumber: FROM_NUMBER },
		...{
			toNumber: '+4915112345678',
			message: '={{ $json.text ?? DateTime.fromSeconds(0).toUTC() }}',
		},
		customFields: {
			customField1: '={{ DateTime.fromSeconds(0).toUTC() }}',
			customField2: '={{ new Date(0) }}',
		},
		options: {},
	};
	const { items } = await runNode({
		credential: credentialFor(simulator()),
		parameters,
		items: [{}, { text: 'Hello [object Object]' }],
		settings: { onError: 'continueRegularOutput' },
	});

	const iso = '1970-01-01T00:00:00.000Z';
	expect(simulator().processed('startSms')).toMatchObject([
		{ body: { message: iso, attributes: { customField1: iso, customField2: iso } } },
	]);
	expect(items[1]?.json.error).toBe(
		'Message: expected text, but "[object Object]" stands in it: correct the value or its expression (row 2)',
	);
});

const MISSING = '={{ $json.missing }}';

test.each<[contactRules: INodeParameters, modes?: string[]]>([
	[{ doNotContact: MISSING }],
	[{}, ['live', 'checkOnly']],
])('nobody is reached by the rules %j and a credential whose mode is by item %j', async (...of) => {
	const [contactRules, modes = ['live', 'live']] = of;
	const { items } = await runNode({
		credential: (index) => ({ ...credentialFor(simulator()), mode: modes[index] ?? '' }),
		parameters: { ...placeCall, contactRules },
		items: numbers(2),
		settings: { onError: 'continueRegularOutput' },
	});

	expect(items.map(({ json }) => json.details)).toMatchObject(
		Array(2).fill({ kind: 'invalidInput', outcome: 'notSent' }),
	);
	expect(simulator().requests).toEqual([]);
});
