import type { INodeParameters } from 'n8n-workflow';

import { ASSISTANT_ID } from '../simulator/seed';
import { runNode } from './engine';
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

const nested =
	'(() => { let a = "x"; for (let i = 0; i < $json.depth; i++) a = { a }; return a; })()';
const TOO_DEEP = 'Attributes (JSON): expected values nested at most 200 deep (row 2)';
const NOT_READ = 'Attributes (JSON): a value is nested too deeply (row 2)';

test.each<[name: string, attributesJson: string, depth: number, message: string]>([
	['a text', '={{ \'{"a":\'.repeat($json.depth) + 1 + "}".repeat($json.depth) }}', 8_000, TOO_DEEP],
	['an object that n8n itself cannot read', `={{ ${nested} }}`, 100_000, NOT_READ],
])('%s nested too deep fails alone, and before it is sent', async (_, attributesJson, ...more) => {
	const [depth, message] = more;
	const { items } = await runNode({
		credential: credentialFor(simulator()),
		parameters: { ...startConversation, attributesJson },
		items: [{ depth: 1 }, { depth }, { depth: 200 }],
		settings: { onError: 'continueRegularOutput' },
	});

	expect(items.map(({ json }) => json.error)).toEqual([undefined, message, undefined]);
	expect(items[1]?.json.details).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
	expect(simulator().processed('startMsgapp')).toHaveLength(2);
});

test('an expression that fails for one item fails alone', async () => {
	const { items } = await runNode({
		credential: credentialFor(simulator()),
		parameters: {
			...startConversation,
			attributesJson: '={{ $json.from ? $($json.from).item.json : {} }}',
		},
		items: [{}, { from: 'Nobody' }, {}],
		settings: { onError: 'continueRegularOutput' },
	});

	expect(items.map(({ json }) => json.error)).toEqual([
		undefined,
		expect.stringMatching(/node/),
		undefined,
	]);
	expect(items[1]?.json.details).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
	expect(simulator().processed('startMsgapp')).toHaveLength(2);
});

test.each([
	['sorts', '$input.all().sort((one, other) => other.json.to.localeCompare(one.json.to))'],
	['takes some out of', '$input.all().splice(1, 2)'],
])('an expression that %s the items changes nobody who is called', async (_, changed) => {
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

test('an option that is sent is evaluated for each item', async () => {
	await runNode({
		credential: credentialFor(simulator()),
		parameters: {
			resource: 'chat',
			operation: 'continue',
			assistantId: ASSISTANT_ID,
			continueBy: 'conversationId',
			conversationId: 'none',
			question: 'Hello',
			options: { userIdentifier: '={{ Math.random() }}' },
		},
		items: [{}, {}],
		settings: { onError: 'continueRegularOutput' },
	});

	const sent = simulator().requests.map(
		({ body }) => (body as { userIdentifier: string }).userIdentifier,
	);
	expect(new Set(sent).size).toBe(2);
});
