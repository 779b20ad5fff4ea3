import { CUSTOMER_NUMBER, FROM_NUMBER, PROMPT, TO_NUMBER } from './seed';
import type { Simulator, SimulatorOptions } from './contract';
import { startSimulator } from './simulator';
import { changed, clientOf, good, useService } from './testClient';

const HOUR_MS = 60 * 60 * 1000;

describe('the calls', () => {
	let own: Simulator | undefined;
	afterEach(() => own?.stop());

	async function start(options: SimulatorOptions) {
		own = await startSimulator(options);
		const send = clientOf(own);
		const place = async () => {
			const { data } = await send(changed('placeCall', { attributes: { customField1: 'Ada' } }));
			return (data as { callId: string }).callId;
		};
		return { simulator: own, place };
	}

	it('are known while they are queued, go on, and have ended with their event', async () => {
		const { simulator, place } = await start({ concurrentCallLimit: 1 });
		const [first, second] = [await place(), await place()];
		const known = {
			fromNumber: FROM_NUMBER,
			toNumber: TO_NUMBER,
			attributes: { customField1: 'Ada' },
		};
		const at: unknown = expect.any(Number);
		expect(simulator.state().calls).toEqual([
			{ id: first, ...known, priority: 1, placedAt: at, startedAt: at },
			{ id: second, ...known, priority: 1, placedAt: at },
		]);

		await simulator.endCall(first, { appointment: 'Monday' });

		const [ended, next] = simulator.state().calls;
		expect(ended).toMatchObject({ endedAt: at, event: { callId: first, appointment: 'Monday' } });
		expect(next).toMatchObject({ startedAt: at });
		expect(next?.endedAt).toBeUndefined();
	});

	it('end by themselves only if they start while a duration is set', async () => {
		const { simulator, place } = await start({ callDurationMs: 10 });
		simulator.setCallDuration(undefined);
		const stays = await place();
		simulator.setCallDuration(10);
		const ends = await place();
		const endedAt = (id: string) => simulator.state().calls.find((call) => call.id === id)?.endedAt;
		while (endedAt(ends) === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
		expect(endedAt(stays)).toBeUndefined();
	});
});

describe('what is known', () => {
	const { simulator, send } = useService();
	const threadOf = (user: string) =>
		simulator()
			.state()
			.threads.find(({ userIdentifier }) => userIdentifier === user);

	it('are the threads with their channels and the end of the customer window', async () => {
		await send(good('startSms'));
		expect(threadOf(TO_NUMBER)?.channels).toEqual(new Set(['sms']));
		expect(threadOf(TO_NUMBER)?.windowClosesAt).toBeUndefined();

		await send(good('sendMsgappTemplate'));
		await send(changed('chat', { userIdentifier: 'somebody' }));
		expect(threadOf(TO_NUMBER)?.channels).toEqual(new Set(['sms', 'msgapp']));
		expect(threadOf('somebody')?.channels).toEqual(new Set(['chat']));

		await send(good('continueMsgapp'));
		const closesAt = threadOf(CUSTOMER_NUMBER)?.windowClosesAt ?? 0;
		const left = closesAt - simulator().clock.now();
		expect(left).toBeGreaterThan(23.9 * HOUR_MS);
		expect(left).toBeLessThanOrEqual(24 * HOUR_MS);
	});

	it('are the answers of a customer, which open the window', async () => {
		const toCustomer = changed('continueMsgapp', { toNumber: TO_NUMBER });
		expect((await send(toCustomer)).status).toBe(400);
		simulator().customerReplies(TO_NUMBER, 'Yes, please.');
		expect((await send(toCustomer)).status).toBe(200);
		expect(threadOf(TO_NUMBER)?.conversation.messages).toMatchObject([
			{ role: 'user', content: 'Yes, please.' },
			{ role: 'assistant', content: 'Hello' },
		]);
	});

	it('are campaigns, each once, assistants and knowledge bases', async () => {
		const single = changed('createCampaign', { campaignType: 'sms', message: 'Hello' });
		await send(single);
		await send(single);
		await send(good('createBulkCampaign'));
		await send(good('setLock'));
		await send(good('deleteParagraph'));
		const { campaigns, assistants, knowledgeBases } = simulator().state();
		expect(campaigns).toMatchObject([
			{ campaignType: 'sms', contacts: TO_NUMBER, message: 'Hello' },
			{ name: 'Recall', campaignType: 'call', contacts: 'https://sheets.example/contacts' },
		]);
		expect(assistants).toMatchObject([{ locked: true, prompt: PROMPT }]);
		expect(knowledgeBases.map(({ paragraphs }) => [...paragraphs.keys()])).toEqual([
			['opening-hours', 'how-to-cancel'],
		]);
	});

	it('are the faults that are left, and each can be taken away', async () => {
		simulator().addFault({ kind: 'status', times: 2 });
		simulator().addFault({ kind: 'html' });
		await send(good('getPrompt'));
		const [first, second] = simulator().faults;
		expect(first).toMatchObject({ fault: { kind: 'status' }, left: 1 });
		expect(second).toMatchObject({ fault: { kind: 'html' }, left: Infinity });

		simulator().removeFault(second?.id ?? 0);
		expect((await send(good('getPrompt'))).status).toBe(500);
		expect(simulator().faults).toEqual([]);
		expect((await send(good('getPrompt'))).status).toBe(200);
	});

	it('are the targets of the webhook', () => {
		simulator().setWebhooks([{ url: 'http://127.0.0.1:1/' }]);
		expect(simulator().webhooks).toEqual([{ url: 'http://127.0.0.1:1/' }]);
	});
});
