import { FAULT_NAMES, FAULTS, describeFault } from '../../playground/page/faults';
import { meaningOf, shownUrl } from '../../playground/page/deliveries';
import { WEBHOOK_HEADER, WEBHOOK_SECRET } from '../../playground/setup';
import { UNKNOWN_USER } from '../../nodes/AssistantService/apiCredentialTest';
import { TEST_COMMAND } from '../../nodes/AssistantServiceTrigger/panel';
import { REFUSALS } from '../../nodes/AssistantServiceTrigger/refusals';
import { ASSISTANT_ID, CUSTOMER_NUMBER, KNOWN_USER, PROMPT, TO_NUMBER } from '../simulator/seed';
import { changed, clientOf, elsewhere, good, type ClientRequest } from '../simulator/testClient';
import { usePage } from './page';

const { simulator, request, act, view } = usePage({ concurrentCallLimit: 1 });
const send = async (what: ClientRequest) => await clientOf(simulator())(what);

it('shows calls, those that go on first', async () => {
	await send(changed('placeCall', { priority: 2, attributes: { customField1: 'Ada' } }));
	await send(changed('placeCall', { toNumber: '+4915100000002', priority: 0 }));
	const [queued, rings] = (await view()).calls as { id: string }[];
	expect(queued).toMatchObject({ state: 'Queued', priority: 'low priority', isGoingOn: false });
	expect(rings).toMatchObject({
		to: TO_NUMBER,
		state: 'Rings',
		priority: 'high priority',
		attributes: '{\n  "customField1": "Ada"\n}',
		isGoingOn: true,
	});
	expect((await view()).headline).toBe(
		'1 call rings, 2 requests, 2 acted on, 2 different people reached, 0 events sent',
	);

	await act('endCall', { id: rings?.id ?? '', summary: 'Booked.', transcript: '', variables: '' });
	expect((await view()).calls).toMatchObject([
		{ state: 'Rings', to: '+4915100000002' },
		{ state: 'Ended', event: expect.stringContaining('Booked.') as string, isGoingOn: false },
	]);
});

it('shows threads with messages, and their windows', async () => {
	await send(good('startSms'));
	await send(good('continueMsgapp'));
	const [msgapp, sms, chat, ...none] = (await view()).threads as unknown[];
	expect(msgapp).toMatchObject({
		id: CUSTOMER_NUMBER,
		channels: 'msgapp',
		isMsgapp: true,
		window: 'Customer window open for 24 hours',
		messages: [{ who: 'Assistant', content: 'Hello' }],
	});
	expect(sms).toMatchObject({ id: TO_NUMBER, channels: 'sms', isMsgapp: false });
	expect(chat).toMatchObject({ channels: 'chat', messages: [{ who: 'Customer' }, {}] });
	expect(none).toEqual([]);
	await act('moveClock', { hours: '25' });
	expect((await view()).threads).toMatchObject([{ window: 'Customer window closed' }, {}, {}]);
	expect((await view()).ahead).toBe('25 hours ahead of real time');
});

it('shows campaigns, knowledge, prompt and faults', async () => {
	await send(good('createBulkCampaign'));
	await act('addFault', { fault: 'tooManyRequests', seconds: '3', times: '2' });
	expect(await view()).toMatchObject({
		campaigns: [{ name: 'Recall', contacts: 'https://sheets.example/contacts' }],
		knowledgeBases: [
			{ label: 'Practice handbook', paragraphs: [{ id: 'opening-hours' }, {}, { id: 'parking' }] },
		],
		assistants: [{ id: ASSISTANT_ID, prompt: PROMPT, state: 'Not locked' }],
		faults: [{ what: 'Refuses with 429 and Retry-After (3 s)', left: 'the next 2 requests' }],
	});
});

it('shows the newest 50 requests as they came, and what became of them', async () => {
	for (let index = 0; index < 60; index++) await send(good('getPrompt'));
	await send(changed('placeCall', { toNumber: '<b>no number</b>' }));
	const requests = (await view()).requests as { id: string; body: string }[];
	expect(requests).toHaveLength(50);
	expect(requests[0]).toMatchObject({
		id: '60',
		operation: 'placeCall',
		status: '400',
		isGood: false,
		outcome: 'not acted on',
	});
	expect(requests[0]?.body).toContain('<b>no number</b>');
	expect(requests[1]).toMatchObject({ id: '59', status: '200', isGood: true, outcome: 'acted on' });
});

it('tells the test of a credential, whose 404 is as it should be', async () => {
	await send(elsewhere(good('getConversation'), KNOWN_USER, UNKNOWN_USER));
	const [request] = (await view()).requests as unknown[];
	expect(request).toMatchObject({
		status: '404',
		isGood: true,
		outcome: 'test of a credential: passed',
	});

	const wrongKey = { 'x-api-key': 'wrong' };
	await send({
		...elsewhere(good('getConversation'), KNOWN_USER, UNKNOWN_USER),
		headers: wrongKey,
	});
	const [refused] = (await view()).requests as unknown[];
	expect(refused).toMatchObject({
		status: '401',
		isGood: false,
		outcome: 'test of a credential: not passed',
	});
});

it('shows no key and no secret, wherever it stands', async () => {
	const { apiKey } = simulator();
	const ownKey = 'somebody-has-pasted-this-key';
	await send({ ...changed('startSms', { message: `The key is ${apiKey}.` }) });
	await send({ ...good('getPrompt'), headers: { 'x-api-key': ownKey } });
	await send({ method: 'GET', path: `/v1/unknown/${ownKey}` });
	await act('addWebhook', {
		url: 'http://me:pass-word@127.0.0.1:1/webhook?secret=in-the-query',
		secret: 'webhook-secret-1',
		headerName: '',
	});
	await act('endCall', {
		id: ((await send(good('placeCall'))).data as { callId: string }).callId,
		...{ summary: 'My secret is webhook-secret-1', transcript: '', variables: '' },
	});
	const shown = JSON.stringify([await view(), (await request('/start')).data]);
	for (const secret of [apiKey, ownKey, 'pass-word', 'in-the-query', 'webhook-secret-1']) {
		expect(shown).not.toContain(secret);
	}
	expect(shown).toContain('The key is *****.');
	expect(shown).toContain('/webhook?secret=*****');
	expect(shown).toContain('secret in x-webhook-secret');
});

it('gives sample values that the service takes', async () => {
	const { samples } = (await request('/start')).data as {
		samples: { name: string; value: string }[];
	};
	const valueOf = (wanted: string) => samples.find(({ name }) => name === wanted)?.value ?? '';
	const toNumber = valueOf('To Number');
	for (const sample of [
		changed('placeCall', { fromNumber: valueOf('From Number'), toNumber }),
		changed('startMsgapp', { templateName: valueOf('Template Name'), toNumber }),
		changed('createBulkCampaign', { sheetURL: valueOf('Sheet URL') }),
		changed('chat', { conversationId: valueOf('Conversation ID'), userIdentifier: undefined }),
		{
			method: 'DELETE',
			path: `/v1/knowledgeBase/deleteParagraph/${valueOf('Workspace ID')}/${valueOf('Knowledge Base ID')}/${valueOf('Paragraph Key')}`,
		},
		{
			method: 'GET',
			path: `/v1/conversation/workspace/${valueOf('Workspace ID')}/${valueOf('User Identifier')}`,
		},
	]) {
		expect((await send(sample)).status).toBeLessThan(300);
	}
});

it("gives the command of the trigger's panel with the secret of the credential", async () => {
	const { testCommand } = (await request('/start')).data as { testCommand: string };
	expect(testCommand).toContain(`-H '${WEBHOOK_HEADER}: ${WEBHOOK_SECRET}'`);
	expect(testCommand.replace(WEBHOOK_SECRET, 'SECRET')).toBe(TEST_COMMAND);
});

it('says what the answer of a trigger means', () => {
	expect(meaningOf({ status: 200, answer: '{"received":true}' })).toBe('Accepted.');
	expect(meaningOf({ status: 200, answer: '{"repeat":true}' })).toMatch('A repeat');
	expect(meaningOf({ status: 0, answer: '' })).toMatch('No answer');
	expect(meaningOf({ status: 404, answer: '{"code":404}' })).toMatch('Execute step');
	expect(meaningOf({ status: 500, answer: '<html>' })).toBe('Refused.');
	for (const { httpStatus, message } of Object.values(REFUSALS)) {
		const meaning = meaningOf({ status: httpStatus, answer: JSON.stringify({ error: message }) });
		expect(meaning).toMatch(
			{ 401: 'the secret is', 403: 'the IP allowlist' }[httpStatus as number] ?? message,
		);
	}
	expect(shownUrl('http://localhost:5678/webhook-test/a/webhook')).toBe(
		'http://localhost:5678/webhook-test/a/webhook',
	);
});

it.each(FAULT_NAMES)('names the fault %s as the menu does', (name) => {
	expect(describeFault(FAULTS[name].fault(2))).toContain(FAULTS[name].label);
});
