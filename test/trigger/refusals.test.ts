import { UserError } from 'n8n-workflow';

import { REFUSALS } from '../../nodes/AssistantServiceTrigger/deliveryRefusals';
import { hastenClock, useTriggers, type TriggerServer, type TriggerSetup } from '../engine/webhook';

const SECRET = 'correct horse battery staple';
const TOLD = 'told by the caller';
const credential = { webhookSecret: SECRET, webhookHeader: 'x-webhook-secret' };
const event = { callId: 'c-1', transcript: TOLD };

const start = useTriggers();

afterEach(() => {
	jest.restoreAllMocks();
});

const open = (ipAllowlist = ''): TriggerSetup => ({
	parameters: { authentication: 'none', options: { ipAllowlist } },
});
const post =
	(body: unknown = event, headers: object = {}) =>
	(trigger: TriggerServer) =>
		trigger.post(body, { headers });
const withSecret = post(event, { 'x-webhook-secret': SECRET });
const tooLarge = post(TOLD.repeat(1_000_000), { 'content-type': 'application/octet-stream' });

async function postWhileHandled(trigger: TriggerServer) {
	// One of them is in progress until the server is stopped.
	const [first, second] = [trigger.post(event), trigger.post(event)];
	for (const one of [first, second]) one.catch(() => undefined);
	hastenClock();
	return await Promise.race([first, second]);
}

test.each<[keyof typeof REFUSALS, string, TriggerSetup, ReturnType<typeof post>]>([
	['addressNotListed', 'an address that is not on the list', open('192.0.2.1'), post()],
	['addressNotListed', 'an address, with a list that is none', open('nonsense'), post()],
	[
		'secretWrong',
		'a wrong secret',
		{ credential: { ...credential, webhookSecret: 'another' } },
		withSecret,
	],
	[
		'secretWrong',
		'a secret, with none in the credential',
		{ credential: { ...credential, webhookSecret: '' } },
		withSecret,
	],
	[
		'secretWrong',
		'a secret, with a credential that is gone',
		{ credential: new UserError('Credential with ID "1" was not found.') },
		withSecret,
	],
	[
		'credentialUnreadable',
		'a secret, while the database does not answer',
		{ credential: new Error('timeout exceeded when trying to connect') },
		withSecret,
	],
	['bodyNotAnObject', 'a list', open(), post([event])],
	['bodyNotAnObject', 'more than n8n takes', open(), tooLarge],
	[
		'inProgress',
		'an event that is being handled',
		{ ...open(), canStart: () => new Promise(() => undefined) },
		postWhileHandled,
	],
])('%s is what is answered to %s, and no execution starts', async (reason, _, setup, deliver) => {
	const trigger = await start(setup);

	const { status, data } = await deliver(trigger);

	const { httpStatus, message, hint } = REFUSALS[reason];
	expect({ status, data }).toEqual({ status: httpStatus, data: { error: message, hint } });
	expect(trigger.executions).toEqual([]);
});
