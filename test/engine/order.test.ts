import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { rowOf } from '../operations';
import { ASSISTANT_ID, CONVERSATIONS, KNOWN_USER } from '../simulator/seed';
import { until } from '../until';
import { ada, bob, CONTINUE, eve, useContacts } from './contacts';
import { runNode, type NodeSetup } from './engine';
import { useFastClock } from './fastClock';
import { isFor } from './world';

/** Rule 9: items of a run that write for the same recipient go one after the other, in their order. */

useFastClock();

const { simulator, calls, reached } = useContacts();

const partIn = (rawBody: string): string | undefined => /part \d/.exec(rawBody)?.[0];

/** What writes for one recipient, and the field with the text. */
const WRITES: readonly [name: string, textField: string, more: INodeParameters][] = [
	['sms.start', 'message', {}],
	['campaign.createSingle', 'message', { campaignType: 'sms' }],
	['msgapp.continueConversation', 'message', {}],
	['chat.start', 'question', {}],
	['chat.continue', 'question', { userIdentifier: KNOWN_USER }],
	[
		'chat.continue',
		'question',
		{ continueBy: 'conversationId', conversationId: CONVERSATIONS[KNOWN_USER]._id },
	],
	['assistant.updatePrompt', 'prompt', {}],
];

function partsOf(name: string, textField: string, more: INodeParameters): NodeSetup {
	const [resource = '', operation = ''] = name.split('.');
	const { parameters } = rowOf(name);
	const items = [1, 2, 3, 4].map((part) => ({ part }));
	return {
		...calls(items, {}, CONTINUE),
		parameters: {
			...{ resource, operation, ...parameters, ...more },
			[textField]: '={{ "part " + $json.part }}',
		},
	};
}

const statusOnce = (status: number) =>
	status === 429
		? ({ kind: 'rateLimited', retryAfter: '0', times: 2 } as const)
		: ({ kind: 'status', status, times: 1 } as const);

describe.each([429, 500])('if the first part is answered with %s', (status) => {
	test.each(WRITES)('%s: no part overtakes another (%s %j)', async (...write) => {
		simulator().addFault({ ...statusOnce(status), delayMs: 30 });

		await runNode(partsOf(...write));

		const { requests } = simulator();
		const arrived = requests.map(({ rawBody }) => partIn(rawBody));
		expect(arrived).toEqual([...arrived].sort());
		expect(new Set(arrived).size).toBe(4);
		expect(Math.max(...requests.map(({ inFlight }) => inFlight))).toBe(1);
	});
});

const lockThenUnlock = (): NodeSetup => ({
	...calls([{ locked: true }, { locked: false }], {}, CONTINUE),
	parameters: {
		...{ resource: 'assistant', operation: 'setLock', assistantId: ASSISTANT_ID },
		locked: '={{ $json.locked }}',
	},
});
const arrived = () => simulator().requests.map(({ body }) => (body as IDataObject).locked);

test('of rows for one assistant, the last wins if another try sends the first', async () => {
	simulator().addFault({ kind: 'status', status: 400, times: 1 });
	const settings = { ...CONTINUE.settings, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

	const { items } = await runNode({ ...lockThenUnlock(), settings });

	expect(arrived()).toEqual([true, false, true, false]);
	expect(items.map(({ json }) => json.locked)).toEqual([true, false]);
	expect(simulator().state().assistants).toMatchObject([{ locked: false }]);
});

test('a message in a conversation waits for those of its user, too', async () => {
	simulator().addFault({ kind: 'delay', delayMs: 50 });
	const setup = partsOf('chat.continue', 'question', {
		continueBy: '={{ $json.part % 2 ? "userIdentifier" : "conversationId" }}',
		userIdentifier: KNOWN_USER,
		conversationId: CONVERSATIONS[KNOWN_USER]._id,
		options: { userIdentifier: KNOWN_USER },
	});

	await runNode(setup);

	expect(simulator().requests.map(({ inFlight }) => inFlight)).toEqual([1, 1, 1, 1]);
});

test('what waits for an item of the same recipient holds up no other', async () => {
	const others = until(() => simulator().requests.some(isFor(2)));
	simulator().addFault({ kind: 'delay', toNumber: ada.to, until: others, times: 1 });

	await runNode(calls([ada, ada, bob, eve], {}, {}, { maxConcurrentRequests: 2 }));

	expect(reached()).toEqual({ [ada.to]: 2, [bob.to]: 1, [eve.to]: 1 });
});

test.each([
	['while the service holds all', '100', { outcome: 'notSent', httpStatus: null }, [1, 0, 0]],
	['if it refuses again', undefined, { outcome: 'refused', httpStatus: 429 }, [2, 1, 1]],
])('those that wait for an item share its Max Wait: %s', async (_, retryAfter, rest, least) => {
	simulator().addFault({ kind: 'status', status: 429, ...(retryAfter && { retryAfter }) });
	const setup = partsOf('sms.start', 'message', { options: { maxWait: 3 } });

	const { items } = await runNode({ ...setup, items: setup.items?.slice(0, 3) });

	expect(items.map(({ json }) => json.details)).toMatchObject([
		{ kind: 'rateLimited', outcome: 'refused', httpStatus: 429 },
		{ kind: 'rateLimited', ...rest },
		{ kind: 'rateLimited', ...rest },
	]);
	const asked = [1, 2, 3].map(
		(part) => simulator().requests.filter(({ rawBody }) => rawBody.includes(`part ${part}`)).length,
	);
	expect(asked.slice(1)).toEqual(least.slice(1));
	expect(asked[0]).toBeGreaterThanOrEqual(least[0] ?? 0);
});
