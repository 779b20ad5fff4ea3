import type { INodeParameters } from 'n8n-workflow';
import { ASSISTANT_ID, KNOWLEDGE_BASE, PROMPT } from '../../test/simulator/seed';
import type { Fault } from '../../test/simulator/simulator';
import { itemsOf } from '../executions';
import { post } from '../post';
import type { WorkflowDraft } from '../restTypes';
import { createActive, nodeOf } from '../workflows';
import { exampleWith, runExample, texts } from './exampleWorkflows';
import { open, reviewOf, useReviewer } from './reviewer';
import { START, useWorld } from './world';

const world = useWorld();

describe('the example "Change a prompt"', () => {
	const NEW_PROMPT = 'You are brief.';
	const CHANGE = { assistantId: ASSISTANT_ID, prompt: NEW_PROMPT };
	/** What stands in the mails to the reviewer. */
	const SHOWN = [[PROMPT, NEW_PROMPT], ['You asked: When are you open?']];
	const inSixSeconds = {
		values: { limitType: 'afterTimeInterval', resumeAmount: 0.1, resumeUnit: 'minutes' },
	};

	const mail = useReviewer(world);

	const prompts = () =>
		world()
			.simulator.processed('updatePrompt')
			.map(({ body }) => (body as { prompt: string }).prompt);

	it.each<{
		and: string;
		answers: ('approve' | 'disapprove')[];
		changes?: Record<string, INodeParameters>;
		faults?: Fault[];
		written: string[];
	}>([
		{ and: '', answers: ['disapprove'], written: [] },
		{ and: '', answers: ['approve', 'approve'], written: [NEW_PROMPT] },
		{ and: '', answers: ['approve', 'disapprove'], written: [NEW_PROMPT, PROMPT] },
		{
			and: ', but the trial fails',
			answers: ['approve'],
			faults: [{ endpoint: 'chat', kind: 'status', status: 500 }],
			written: [NEW_PROMPT, PROMPT],
		},
		{
			and: ', then nobody answers in time',
			answers: ['approve'],
			changes: { 'Ask Whether to Keep It': { options: { limitWaitTime: inSixSeconds } } },
			written: [NEW_PROMPT, PROMPT],
		},
	])('after $answers$and: $written', async ({ answers, changes, faults = [], written }) => {
		const { client, simulator } = world();
		for (const fault of faults) simulator.addFault(fault);
		const change = texts({ ...CHANGE, trialQuestion: 'When are you open?' });
		const draft = exampleWith('change-prompt.json', { 'Write New Prompt': change, ...changes });
		const { id } = await client.createWorkflow(draft);
		const executionId = await client.start(id, START);
		for (const [number, answer] of answers.entries()) {
			const review = await reviewOf(client, executionId, mail(), number);
			for (const shown of SHOWN[number] ?? []) expect(review.mail).toContain(shown);
			expect(prompts()).toEqual(written.slice(0, number));
			await open(review[answer]);
		}

		expect((await client.finished(executionId)).status).toBe('success');
		expect(prompts()).toEqual(written);
	});
});

describe('the example "Sync a knowledge base"', () => {
	const { 'opening-hours': HOURS } = KNOWLEDGE_BASE.paragraphs;
	const CANCEL = 'Appointments can be cancelled up to 12 hours before.';
	const TOYS = 'There are toys in the waiting room.';
	/** Two paragraphs are new, one of them twice, and two of the knowledge base are missing. */
	const DOCUMENT = {
		'Read Document': texts({ text: [HOURS, CANCEL, TOYS, CANCEL].join('\n \n') }),
	};

	const sync = async () =>
		(await runExample(world().client, 'sync-knowledge-base.json', DOCUMENT)).status;

	const held = () =>
		world()
			.simulator.state()
			.knowledgeBases.flatMap(({ paragraphs }) => [...paragraphs.values()]);

	/** The requests that change something. */
	const changes = () =>
		world()
			.simulator.requests.filter(({ method }) => method !== 'GET')
			.map(({ endpoint }) => endpoint);

	it('adds and deletes what differs, and changes nothing in a second run', async () => {
		expect(await sync()).toBe('success');
		expect(held().sort()).toEqual([HOURS, CANCEL, TOYS].sort());
		expect(changes()).toEqual(['addParagraphs', 'deleteParagraph', 'deleteParagraph']);

		expect(await sync()).toBe('success');
		expect(changes()).toHaveLength(3);
	});

	it.each<Pick<Fault, 'kind' | 'status' | 'endpoint'>>([
		{ endpoint: 'addParagraphs', kind: 'resetAfter' },
		{ endpoint: 'deleteParagraph', kind: 'status', status: 403 },
	])('arrives in a second run if the first broke at $endpoint ($kind)', async (fault) => {
		world().simulator.addFault({ ...fault, times: 1 });

		expect(await sync()).toBe('error');
		expect(await sync()).toBe('success');
		expect(held().sort()).toEqual([HOURS, CANCEL, TOYS].sort());
	});
});

it('the example "Support chat" continues each user\'s own conversation, and reads it', async () => {
	const { client } = world();
	const draft = exampleWith('support-chat.json', { 'Chat Message': { public: true } });
	const pathOf = (saved: WorkflowDraft) =>
		`/webhook/${nodeOf(saved, 'Chat Message').webhookId ?? ''}/chat`;
	const workflow = await createActive(client, draft, pathOf);
	for (const [sessionId, chatInput] of [
		['customer-4711', 'When are you open?'],
		['customer-4712', 'Hello'],
	]) {
		const message = { action: 'sendMessage', sessionId, chatInput };
		const { data } = await post(`${client.baseUrl}${pathOf(workflow)}`, message);
		expect(data).toMatchObject({ output: `You asked: ${chatInput}` });
	}

	const execution = await client.run(workflow.id, START);
	const [conversation] = itemsOf(execution, 'Read Conversation');
	expect(conversation?.messages).toMatchObject([
		{ content: 'Do you speak English?' },
		{ content: 'Yes, we do.' },
		{ content: 'When are you open?' },
		{ content: 'You asked: When are you open?' },
	]);
});
