import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';
import { ASSISTANT_ID, KNOWLEDGE_BASE, PROMPT } from '../../test/simulator/seed';
import type { Fault } from '../../test/simulator/simulator';
import { exampleWith, runExample, texts } from './exampleWorkflows';
import { open, reviewOf, useReviewer } from './reviewer';
import { START, useWorld } from './world';

const world = useWorld();

/** What the service holds (S 4.12). */
interface HeldParagraphs {
	knowledgeBase: { paragraphs: { value: { data: string } }[] };
}

describe('the example "Change a prompt"', () => {
	const NEW_PROMPT = 'You are brief.';

	const mail = useReviewer(world);

	const prompts = () =>
		world()
			.simulator.processed('updatePrompt')
			.map(({ body }) => (body as { prompt: string }).prompt);

	async function startChange(changes: Record<string, INodeParameters> = {}) {
		const { client } = world();
		const before = mail().mails.length;
		const { id } = await client.createWorkflow(
			exampleWith('change-prompt.json', {
				'Write New Prompt': texts({
					assistantId: ASSISTANT_ID,
					prompt: NEW_PROMPT,
					trialQuestion: 'When are you open?',
				}),
				...changes,
			}),
		);
		const executionId = await client.start(id, START);
		const review = (number: number) => reviewOf(client, executionId, mail(), before + number);
		return { review, finished: () => client.finished(executionId) };
	}

	type Answer = 'approve' | 'disapprove';

	it.each<{ answers: [Answer] | [Answer, Answer]; written: string[] }>([
		{ answers: ['disapprove'], written: [] },
		{ answers: ['approve', 'approve'], written: [NEW_PROMPT] },
		{ answers: ['approve', 'disapprove'], written: [NEW_PROMPT, PROMPT] },
	])('after $answers: $written', async ({ answers: [first, second], written }) => {
		const { review, finished } = await startChange();
		const approval = await review(0);
		expect(approval.mail).toContain(PROMPT);
		expect(approval.mail).toContain(NEW_PROMPT);
		expect(prompts()).toEqual([]);

		await open(approval[first]);
		if (second) {
			const trial = await review(1);
			expect(trial.mail).toContain('You asked: When are you open?');
			expect(prompts()).toEqual([NEW_PROMPT]);
			await open(trial[second]);
		}

		expect((await finished()).status).toBe('success');
		expect(prompts()).toEqual(written);
	});

	const ASK = 'Ask Whether to Keep It';
	const limitWaitTime = {
		values: { limitType: 'afterTimeInterval', resumeAmount: 0.1, resumeUnit: 'minutes' },
	};

	it.each<[string, Record<string, INodeParameters>, Fault[]]>([
		['the trial fails', {}, [{ endpoint: 'chat', kind: 'status', status: 500 }]],
		['nobody answers in time', { [ASK]: { options: { limitWaitTime } } }, []],
	])('rolls back if %s', async (_, changes, faults) => {
		const { review, finished } = await startChange(changes);
		for (const fault of faults) world().simulator.addFault(fault);
		await open((await review(0)).approve);

		expect((await finished()).status).toBe('success');
		expect(prompts()).toEqual([NEW_PROMPT, PROMPT]);
	});
});

describe('the example "Sync a knowledge base"', () => {
	const { 'opening-hours': HOURS } = KNOWLEDGE_BASE.paragraphs;
	const CANCEL = 'Appointments can be cancelled up to 12 hours before.';
	const TOYS = 'There are toys in the waiting room.';
	/** Two paragraphs are new, one of them twice, and two of the knowledge base are missing. */
	const DOCUMENT = [HOURS, CANCEL, TOYS, CANCEL].join('\n \n');

	const sync = async (text = DOCUMENT) =>
		await runExample(world().client, 'sync-knowledge-base.json', {
			'Read Document': texts({ text }),
		});

	const held = async (): Promise<string[]> => {
		const { baseUrl, workspaceId, knowledgeBaseId, apiKey } = world().simulator;
		const { data } = await axios.get<HeldParagraphs>(
			`${baseUrl}/v1/knowledgeBase/getKnowledgeBase/${workspaceId}/${knowledgeBaseId}`,
			{ proxy: false, headers: { 'x-api-key': apiKey } },
		);
		return data.knowledgeBase.paragraphs.map(({ value }) => value.data).sort();
	};

	/** The requests that change something. */
	const changes = () =>
		world()
			.simulator.requests.filter(({ method }) => method !== 'GET')
			.map(({ endpoint }) => endpoint);

	it('adds and deletes what differs, and changes nothing in a second run', async () => {
		expect((await sync()).status).toBe('success');
		expect(await held()).toEqual([HOURS, CANCEL, TOYS].sort());
		expect(changes()).toEqual(['addParagraphs', 'deleteParagraph', 'deleteParagraph']);

		expect((await sync()).status).toBe('success');
		expect(changes()).toHaveLength(3);
	});

	it.each<Pick<Fault, 'kind' | 'status' | 'endpoint'>>([
		{ endpoint: 'addParagraphs', kind: 'resetAfter' },
		{ endpoint: 'deleteParagraph', kind: 'status', status: 403 },
	])('arrives in a second run if the first broke at $endpoint ($kind)', async (fault) => {
		world().simulator.addFault({ ...fault, times: 1 });

		expect((await sync()).status).toBe('error');
		expect(await held()).toContain(HOURS);
		expect(await held()).not.toEqual([HOURS, CANCEL, TOYS].sort());

		expect((await sync()).status).toBe('success');
		expect(await held()).toEqual([HOURS, CANCEL, TOYS].sort());
	});
});
