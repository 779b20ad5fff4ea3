import { UserError } from 'n8n-workflow';
import { execFileSync } from 'node:child_process';

import { AssistantServiceApi } from '../../credentials/AssistantServiceApi.credentials';
import { REFUSALS } from '../../nodes/AssistantServiceTrigger/deliveryRefusals';
import { TEST_COMMAND, TEST_EVENT } from '../../nodes/AssistantServiceTrigger/panel';
import { type TriggerServer, type TriggerSetup, useTriggers } from '../engine/webhook';

const SECRET = 'correct horse battery staple';
const TOLD = 'told by the caller';
const credential = { webhookSecret: SECRET, webhookHeader: 'X-Webhook-Secret' };
const event = { callId: 'c-1', transcript: TOLD };
const BYTES = { 'content-type': 'application/octet-stream' };

const start = useTriggers();

afterEach(() => {
	jest.restoreAllMocks();
});

const open = (options = {}): TriggerSetup => ({ parameters: { authentication: 'none', options } });
const listed = (ipAllowlist: string) => open({ ipAllowlist });
const by = (more: object): TriggerSetup => ({ credential: { ...credential, ...more } });
const gone = { credential: new UserError('Credential with ID "1" was not found.') };
const failing = { credential: new Error('timeout exceeded when trying to connect') };

const inHeader = (secret: string) => ({ headers: { 'x-webhook-secret': secret } });
const inQuery = (secret: string) => ({ query: `?secret=${encodeURIComponent(secret)}` });

test('who gives the secret is let in, also with a wrong one beside it, and it is not put out', async () => {
	const trigger = await start({ credential });

	const answer = await trigger.post(event, { ...inHeader('wrong'), ...inQuery(SECRET) });

	expect(answer).toMatchObject({ status: 200, data: { received: true } });
	expect(trigger.executions).toHaveLength(1);
	expect(JSON.stringify(trigger.executions)).not.toContain(SECRET);
});

test('JSON of a type that n8n does not read is understood', async () => {
	const trigger = await start(open());

	expect((await trigger.post(event, { headers: BYTES })).status).toBe(200);
	expect(trigger.executions[0]?.[0]?.json.callId).toBe('c-1');
});

const post =
	(body: unknown = event, headers: object = {}) =>
	(trigger: TriggerServer) =>
		trigger.post(body, { headers });
const withSecret = post(event, { 'x-webhook-secret': SECRET });

/** Lets the node's clock go on a thousand times as fast, until mocks are restored. */
function hastenClock(): void {
	const now = performance.now.bind(performance);
	const begin = now();
	jest.spyOn(performance, 'now').mockImplementation(() => begin + 1_000 * (now() - begin));
}

async function postWhileHandled(trigger: TriggerServer) {
	// One of them is in progress until the server is stopped.
	const [first, second] = [trigger.post(event), trigger.post(event)];
	for (const one of [first, second]) one.catch(() => undefined);
	hastenClock();
	return await Promise.race([first, second]);
}
const held = { ...open(), canStart: () => new Promise<boolean>(() => undefined) };

test.each<[keyof typeof REFUSALS, string, TriggerSetup, ReturnType<typeof post>]>([
	['addressNotListed', 'an address that is not on the list', listed('192.0.2.1'), post()],
	['addressNotListed', 'an address, with a list that is none', listed('nonsense'), post()],
	['secretWrong', 'a wrong secret', by({ webhookSecret: 'another' }), withSecret],
	['secretWrong', 'a secret, with none in the credential', by({ webhookSecret: '' }), withSecret],
	['secretWrong', 'none, with none in the credential', by({ webhookSecret: '' }), post()],
	['secretWrong', 'a secret, without a credential', {}, withSecret],
	['secretWrong', 'a secret, with a credential that is gone', gone, withSecret],
	['credentialUnreadable', 'a secret, while the database is away', failing, withSecret],
	['bodyNotAnObject', 'a list', open(), post([event])],
	['bodyNotAnObject', 'no JSON, which n8n does not read', open(), post(TOLD, BYTES)],
	['bodyNotAnObject', 'more than n8n takes', open(), post(TOLD.repeat(1_000_000), BYTES)],
	['inProgress', 'an event that is being handled', held, postWhileHandled],
])('%s is what is answered to %s, and no execution starts', async (reason, _, setup, deliver) => {
	const trigger = await start(setup);

	const { status, data } = await deliver(trigger);

	const { httpStatus, message, hint } = REFUSALS[reason];
	expect({ status, data }).toEqual({ status: httpStatus, data: { error: message, hint } });
	expect(trigger.executions).toEqual([]);
});

test.each([
	['', 200],
	['={{ "127.0.0.1" }}', 200],
	['={{ ["192.0.2.1"] }}', 403],
	['={{ $json.notSet }}', 403],
	['={{ null }}', 403],
	['={{ "" }}', 403],
	['={{ undefined }}{{ undefined }}', 403],
	['={{ false }}', 403],
])('with the IP allowlist %j the answer is %i', async (list, status) => {
	const trigger = await start(listed(list));

	expect((await trigger.post(event)).status).toBe(status);
	expect(trigger.executions).toHaveLength(status === 200 ? 1 : 0);
});

const HEADER = 'x-webhook-secret';
const JSON_TYPE = 'Content-Type: application/json';

/** The arguments of the command as a shell passes them to curl. */
const argumentsOf = (command: string): string[] =>
	execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], { encoding: 'utf8' })
		.split('\0')
		.slice(0, -1);

test('the command of the panel starts the workflow', async () => {
	const given = argumentsOf(TEST_COMMAND.replace('SECRET', SECRET));
	const after = (flag: string): string =>
		given.find((_, index) => given[index - 1] === flag && given[index] !== JSON_TYPE) ?? '';
	const [name = '', value = ''] = after('-H').split(': ');
	const trigger = await start({ credential, mode: 'manual' });
	const headers = { 'content-type': 'application/json', [name]: value };

	const answer = await trigger.post(after('-d'), { headers });

	const { properties } = new AssistantServiceApi();
	const header = properties.find((property) => property.name === 'webhookHeader');
	expect(header?.default).toBe(HEADER);
	expect(given.slice(0, 3)).toEqual(['-X', 'POST', 'TEST_URL']);
	expect(given).toContain(JSON_TYPE);
	expect(answer).toMatchObject({ status: 200, data: { received: true } });
	expect(trigger.executions).toEqual([[{ json: expect.objectContaining(TEST_EVENT) as unknown }]]);
});
