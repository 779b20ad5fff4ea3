import { startOtherServer } from '../../test/otherServer';
import { recipientOf } from '../../test/simulator/recipient';
import type { Fault } from '../../test/simulator/simulator';
import { itemsOf } from '../executions';
import { post } from '../post';
import type { WorkflowDraft } from '../restTypes';
import { createActive, nodeOf } from '../workflows';
import { ADA, exampleWith, GRACE, isTo, runExample, texts } from './exampleWorkflows';
import { useOpened, useWorld } from './world';

const world = useWorld();

describe('the example "Support chat"', () => {
	/** Publishes the chat; gives what it answers to a user. */
	async function openChat() {
		const { client } = world();
		const draft = exampleWith('support-chat.json', { 'Chat Message': { public: true } });
		const pathOf = (saved: WorkflowDraft) =>
			`/webhook/${nodeOf(saved, 'Chat Message').webhookId ?? ''}/chat`;
		const workflow = await createActive(client, draft, pathOf);
		const ask = async (sessionId: string, chatInput: string) => {
			const message = { action: 'sendMessage', sessionId, chatInput };
			return (await post(`${client.baseUrl}${pathOf(workflow)}`, message)).data;
		};
		return { workflow, ask };
	}

	it("continues each user's own conversation, and reads it", async () => {
		const { client } = world();
		const { workflow, ask } = await openChat();

		expect(await ask('customer-4711', 'When are you open?')).toMatchObject({
			output: 'You asked: When are you open?',
		});
		expect(await ask('customer-4712', 'Hello')).toMatchObject({ output: 'You asked: Hello' });

		const execution = await client.run(workflow.id, 'Start');
		const [conversation] = itemsOf(execution, 'Read Conversation');
		expect(conversation?.messages).toMatchObject([
			{ content: 'Do you speak English?' },
			{ content: 'Yes, we do.' },
			{ content: 'When are you open?' },
			{ content: 'You asked: When are you open?' },
		]);
	});
});

describe('the example "Template, then follow-up"', () => {
	const runWithShortWait = async () =>
		await runExample(world().client, 'template-then-follow-up.json', {
			'Wait for Replies': { amount: 1, unit: 'seconds' },
		});

	it('follows up with a message in the open window, and with a template otherwise', async () => {
		const { simulator } = world();
		simulator.customerReplies(ADA);
		const execution = await runWithShortWait();

		expect(simulator.processed('startMsgapp').map(recipientOf)).toEqual([ADA, GRACE]);
		expect(itemsOf(execution, 'Send Follow-Up')).toMatchObject([
			{ toNumber: ADA, result: 'sent', sentAs: 'message' },
			{ toNumber: GRACE, result: 'sent', sentAs: 'template' },
		]);
		expect(simulator.processed('continueMsgapp').map(({ body }) => body)).toMatchObject([
			{ toNumber: ADA, attributes: { firstName: 'Ada' } },
		]);
	});

	it.each<Partial<Fault> & Pick<Fault, 'kind'> & { outcome: string }>([
		{ kind: 'status', status: 400, outcome: 'refused' },
		{ kind: 'resetAfter', outcome: 'unknown' },
	])('sends no follow-up after a template that failed ($kind)', async ({ outcome, ...fault }) => {
		const { simulator } = world();
		const endpoint = 'startMsgapp';
		simulator.addFault({ endpoint, ...fault, when: isTo(GRACE) });
		const execution = await runWithShortWait();

		expect(itemsOf(execution, 'Review Failures')).toMatchObject([
			{ details: { toNumber: GRACE, outcome } },
		]);
		expect(itemsOf(execution, 'Send Follow-Up')).toMatchObject([{ toNumber: ADA }]);
	});
});

describe('the example "Bulk campaign"', () => {
	const sheets = useOpened(() =>
		startOtherServer((response, { url }) => {
			response.statusCode = url === '/contacts.csv' ? 200 : 404;
			response.end('phone\n+15550102001\n');
		}),
	);

	const runWithSheet = async (file: string) => {
		const sheetUrl = `${sheets().baseUrl}/${file}`;
		const campaign = { name: 'Spring', description: 'Reminders', sheetUrl };
		const changes = { 'Set Campaign': texts(campaign) };
		return { sheetUrl, execution: await runExample(world().client, 'bulk-campaign.json', changes) };
	};

	it('gives the link of the sheet to the service', async () => {
		const { sheetUrl, execution } = await runWithSheet('contacts.csv');

		expect(execution.status).toBe('success');
		expect(world().simulator.processed('createBulkCampaign')).toMatchObject([
			{ body: { name: 'Spring', description: 'Reminders', sheetURL: sheetUrl } },
		]);
		expect(itemsOf(execution, 'Create Campaign')).toMatchObject([
			{ message: expect.stringMatching(/./) as unknown },
		]);
	});

	it.each<Pick<Fault, 'kind' | 'status'> & { says: string }>([
		{ kind: 'status', status: 402, says: 'Nobody was contacted' },
		{ kind: 'resetAfter', says: 'may have been created' },
	])('fails and says what is certain ($says)', async ({ says, ...fault }) => {
		world().simulator.addFault({ endpoint: 'createBulkCampaign', ...fault });
		const { execution } = await runWithSheet('contacts.csv');

		expect(execution.status).toBe('error');
		expect(execution.data.resultData.error?.message).toContain(says);
	});
});
