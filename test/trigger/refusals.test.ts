import { UserError } from 'n8n-workflow';

import { REFUSALS, type RefusalReason } from '../../nodes/AssistantServiceTrigger/deliveryRefusals';
import { hastenClock, useTriggers, type TriggerServer, type TriggerSetup } from '../engine/webhook';

const SECRET = 'correct horse battery staple';
const TOLD = 'told by the caller';
const credential = { webhookSecret: SECRET, webhookHeader: 'x-webhook-secret' };
const event = { callId: 'c-1', transcript: TOLD };
const reasons = Object.keys(REFUSALS) as RefusalReason[];

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

/** How each refusal comes about, and the cause that the log names. */
const DELIVERIES: Record<
	RefusalReason,
	{
		setup: TriggerSetup;
		deliver: (trigger: TriggerServer) => ReturnType<TriggerServer['post']>;
		cause?: string;
	}
> = {
	addressNotListed: { setup: open('192.0.2.1'), deliver: post() },
	allowlistUnreadable: {
		setup: open('nonsense'),
		deliver: post(),
		cause: '"nonsense" is not an IP address or range, e.g. 192.0.2.10 or 2001:db8::/32',
	},
	secretWrong: {
		setup: { credential: { ...credential, webhookSecret: 'another' } },
		deliver: withSecret,
	},
	secretMissing: {
		setup: { credential: { ...credential, webhookSecret: '' } },
		deliver: withSecret,
	},
	credentialMissing: {
		setup: { credential: new UserError('Credential with ID "1" was not found.') },
		deliver: withSecret,
		cause: 'Credential with ID "1" was not found.',
	},
	credentialUnreadable: {
		setup: { credential: new Error('timeout exceeded when trying to connect') },
		deliver: withSecret,
		cause: 'timeout exceeded when trying to connect',
	},
	bodyTooLarge: {
		setup: open(),
		deliver: post(TOLD.repeat(1_000_000), { 'content-type': 'application/octet-stream' }),
	},
	bodyNotAnObject: { setup: open(), deliver: post([event]) },
	inProgress: {
		setup: { ...open(), canStart: () => new Promise(() => undefined) },
		deliver: async (trigger) => {
			// One of them is in progress until the server is stopped.
			const [first, second] = [trigger.post(event), trigger.post(event)];
			for (const one of [first, second]) one.catch(() => undefined);
			hastenClock();
			return await Promise.race([first, second]);
		},
	},
};

describe.each(reasons)('%s', (reason) => {
	const { kind, httpStatus, message, hint, level } = REFUSALS[reason];
	const { setup, deliver, cause } = DELIVERIES[reason];

	test('is answered and logged as its row says, and starts no execution', async () => {
		const trigger = await start(setup);

		const { status, data } = await deliver(trigger);

		expect({ status, data }).toEqual({ status: httpStatus, data: { error: message } });
		expect(trigger.executions).toEqual([]);
		const rest = cause === undefined ? '' : ` The error was: ${cause}`;
		expect(trigger.log).toEqual([
			{
				level,
				text: expect.stringMatching(/^The trigger "Trigger" of workflow [\w-]+ refused/) as unknown,
				metadata: expect.objectContaining({ nodeName: 'Trigger', reason, kind }) as unknown,
			},
		]);
		expect(trigger.log[0]?.text).toMatch(new RegExp(` with ${httpStatus}: `));
		expect(trigger.log[0]?.text.endsWith(`: ${message} ${hint}${rest}`)).toBe(true);
		expect(JSON.stringify(trigger.log)).not.toContain(SECRET);
		expect(JSON.stringify(trigger.log)).not.toContain(TOLD);
	});
});

test('every refusal is a warning, but for an event that only comes too early', () => {
	expect(reasons.filter((reason) => REFUSALS[reason].level !== 'warn')).toEqual(['inProgress']);
});

describe('the lines in the log', () => {
	const wrong = async (trigger: TriggerServer, times: number) => {
		for (let time = 0; time < times; time++) await post()(trigger);
	};

	test('are one for each reason and trigger in a minute, with the number of the omitted ones', async () => {
		const [trigger, other] = [await start({ credential }), await start({ credential })];
		await wrong(trigger, 5);
		await wrong(other, 1);
		await post([event], { 'x-webhook-secret': SECRET })(trigger);

		expect(trigger.log.map(({ metadata }) => metadata)).toMatchObject([
			{ reason: 'secretWrong' },
			{ reason: 'bodyNotAnObject' },
		]);
		expect(other.log).toHaveLength(1);
		const later = performance.now() + 60_000;
		jest.spyOn(performance, 'now').mockImplementation(() => later);
		await wrong(trigger, 2);
		expect(trigger.log).toHaveLength(3);
		expect(trigger.log[2]?.text).toMatch(/\. 4 more were refused/);
	});

	test('are one for each delivery while somebody listens in the editor, whatever came before', async () => {
		const trigger = await start({ credential, mode: 'manual' });
		await wrong(trigger, 3);

		expect(trigger.log).toHaveLength(3);
		expect(trigger.log.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn']);
		expect(new Set(trigger.log.map(({ text }) => text)).size).toBe(1);
	});
});
