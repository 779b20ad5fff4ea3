import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { answerWith, startOtherServer } from '../../test/otherServer';
import type { EndpointName } from '../../test/simulator/endpoints';
import { ASSISTANT_ID, KNOWLEDGE_BASE, PROMPT } from '../../test/simulator/seed';
import type { Fault } from '../../test/simulator/simulator';
import { itemsOf } from '../executions';
import { post } from '../post';
import type { WorkflowDraft } from '../restTypes';
import { createActive, nodeOf } from '../workflows';
import { useExampleBook } from './contactBook';
import {
	ADA,
	called,
	exampleWith,
	GRACE,
	isTo,
	KATHERINE,
	runAsSubWorkflow,
	SUB_WORKFLOW,
	texts,
} from './exampleWorkflows';
import { inTurn, startModelServer, toolAnswers } from './modelServer';
import { open, reviewOf, useReviewer, type Review } from './reviewer';
import { START, useOpened, useWorld } from './world';

/** A button of a mail to the reviewer, and what stands in the mail. */
type Click = readonly [button: 'approve' | 'disapprove', ...shown: string[]];

/** An example that is run, once unless said otherwise. */
interface Run {
	file: string;
	/** What it is proven to do. */
	does: string;
	/** The trigger that it is run from; "Start" unless said otherwise. */
	from?: string;
	/** Parameters that some nodes have instead of their own. */
	changes?: () => Record<string, INodeParameters>;
	faults?: Fault[];
	prepare?: () => Promise<void> | void;
	/** What the reviewer does, mail by mail. Nothing of the first endpoint of `sends` goes out before its click. */
	clicks?: Click[];
	/** How each of its runs ends. */
	ends?: ('success' | 'error')[];
	/** The beginning of the error with which the last run fails. */
	error?: string;
	/** What some nodes put out in the last run, whatever the output. */
	puts?: Record<string, object[]>;
	/** The bodies of the requests on which the service has acted. */
	sends?: [endpoint: EndpointName, bodies: object[]][];
	/** Looks at what is left. */
	after?: () => Promise<void> | void;
}

const ANY_TEXT = expect.stringMatching(/./) as unknown;
const ON_THIS_MACHINE = expect.stringContaining('http://127.0.0.1:') as unknown;
const TWO_CALLS_FAIL: Fault[] = [
	{ kind: 'status', status: 400, when: isTo(GRACE) },
	{ kind: 'resetAfter', when: isTo(KATHERINE) },
];
const NOT_AGAIN_SOON = { 'Place Call': { contactRules: { notAgainWithin: 1 } } };
const SHORT_WAIT = { 'Wait for Replies': { amount: 1, unit: 'seconds' } };
const CAMPAIGN = { name: 'Spring', description: 'Reminders' };

const world = useWorld();
const model = useOpened(startModelServer);
const mail = useReviewer(world);
const sheet = useOpened(() => startOtherServer(answerWith(200, 'phone\n+15550102001\n')));

const campaign: Pick<Run, 'file' | 'changes'> = {
	file: 'bulk-campaign.json',
	changes: () => ({ 'Set Campaign': texts({ ...CAMPAIGN, sheetUrl: sheet().baseUrl }) }),
};

/** Some minutes later, if they are given. */
const daysAgo = (days: number, minutes = 0) =>
	new Date(Date.now() - (days * 24 * 60 - minutes) * 60_000).toISOString();

/** The examples share it. */
const book = useExampleBook(world);

/** Of two executions; one of the people has opted out meanwhile. */
async function addOpenRows(): Promise<void> {
	const row = { phone: ADA, execution: '7', reference: 'C-1001' };
	await book().insert(
		{ ...row, outcome: 'claimed', doNotContact: true },
		{ ...row, outcome: 'unknown' },
		{ ...row, outcome: 'accepted' },
		{ ...row, outcome: 'claimed', execution: '8' },
	);
}

/** What is older than 400 days goes, but for opt-outs: by its reference, each row, and whether it is left. */
const CONTACTS: Record<string, [row: IDataObject, isLeft: boolean]> = {
	'too old by a minute': [{ contactedAt: daysAgo(400, -1) }, false],
	'years old, claimed': [{ contactedAt: daysAgo(2000), outcome: 'claimed' }, false],
	'years old, no outcome': [{ contactedAt: daysAgo(2000), outcome: null, mode: null }, false],
	'years old, redirected': [{ contactedAt: daysAgo(2000), mode: 'redirect' }, false],
	'years old, no opt-out': [{ contactedAt: daysAgo(2000), doNotContact: false }, false],
	'years old, opted out': [{ contactedAt: daysAgo(2000), doNotContact: true }, true],
	'young by some minutes': [{ contactedAt: daysAgo(400, 10), outcome: 'notMade' }, true],
	'of today': [{ contactedAt: daysAgo(0) }, true],
	'of no time': [{ contactedAt: null }, true],
};

async function addContacts(): Promise<void> {
	const contact = { phone: ADA, operation: 'call.place', outcome: 'accepted', mode: 'live' };
	const rows = Object.entries(CONTACTS);
	await book().insert(...rows.map(([reference, [row]]) => ({ ...contact, reference, ...row })));
}

/** Expects these contacts in the book, and no others. */
const expectLeft = (isLeft: (wasLeft: boolean) => boolean) => async () => {
	const left = (await book().rows()).map(({ reference }) => reference);
	const expected = Object.entries(CONTACTS).filter(([, [, wasLeft]]) => isLeft(wasLeft));
	expect(left.sort()).toEqual(expected.map(([reference]) => reference).sort());
};

const removal: Pick<Run, 'file' | 'from' | 'prepare'> = {
	file: 'remove-old-contacts.json',
	from: 'Every Night',
	prepare: addContacts,
};

const NO_DAYS: INodeParameters = {
	assignments: {
		assignments: [
			{ name: 'days', type: 'number', value: 0 },
			{ name: 'table', type: 'string', value: 'Contact book' },
		],
	},
};

const TRIAL = 'When are you open?';
const NEW_PROMPT = 'You are brief.';
/** What stands in the mails to the reviewer. */
const SHOWN = [[PROMPT, NEW_PROMPT], [`You asked: ${TRIAL}`]];
const SIX_SECONDS = {
	values: { limitType: 'afterTimeInterval', resumeAmount: 0.1, resumeUnit: 'minutes' },
};

/** A change of a prompt with these clicks of the reviewer; `written` are the prompts that the service gets. */
const promptRun = (
	does: string,
	buttons: Click[0][],
	written: string[],
	more: Partial<Run> = {},
	changed: Record<string, INodeParameters> = {},
): Run => ({
	file: 'change-prompt.json',
	does,
	changes: () => ({
		'Write New Prompt': texts({
			...{ assistantId: ASSISTANT_ID, prompt: NEW_PROMPT, trialQuestion: TRIAL },
		}),
		...changed,
	}),
	clicks: buttons.map((button, mailNumber) => [button, ...(SHOWN[mailNumber] ?? [])]),
	sends: [['updatePrompt', written.map((prompt) => ({ prompt }))]],
	...more,
});

const { 'opening-hours': HOURS } = KNOWLEDGE_BASE.paragraphs;
const CANCEL = 'Appointments can be cancelled up to 12 hours before.';
const TOYS = 'There are toys in the waiting room.';

/** Two paragraphs are new, one of them twice, and two of the knowledge base are missing. */
const syncing: Pick<Run, 'file' | 'changes' | 'after'> = {
	file: 'sync-knowledge-base.json',
	changes: () => ({
		'Read Document': texts({ text: [HOURS, CANCEL, TOYS, CANCEL].join('\n \n') }),
	}),
	after: () => {
		const { knowledgeBases } = world().simulator.state();
		const paragraphs = knowledgeBases.flatMap((one) => [...one.paragraphs.values()]);
		expect(paragraphs.sort()).toEqual([HOURS, CANCEL, TOYS].sort());
	},
};

/** By the name of its node; the review step wants what is for the tool apart. */
const USE_OF_TOOL = {
	tool: 'Place_a_Phone_Call',
	arguments: { toolParameters: { toNumber: ADA, reason: 'Your appointment' }, hitlParameters: {} },
};

/** An agent asks for a call, and reads this after the click of the reviewer. */
const approval = (
	button: Click[0],
	reads: string,
): Pick<Run, 'file' | 'prepare' | 'clicks' | 'after'> => ({
	file: 'approved-agent-call.json',
	prepare: async () => {
		const key = { apiKey: 'not-needed', url: model().baseUrl };
		await world().client.saveCredential('openAiApi', 'OpenAI account', key);
		model().play(inTurn([USE_OF_TOOL]));
	},
	clicks: [[button, ADA]],
	after: () => {
		const [first, last] = [model().requests[0], model().requests.at(-1)];
		expect(JSON.stringify(first?.tools)).toContain('Places a real phone call');
		expect(toolAnswers(last?.messages ?? [])).toEqual([expect.stringContaining(reads)]);
	},
});

const RUNS: Run[] = [
	{
		file: 'call-a-list-and-report.json',
		does: 'reports in one message what came of each call',
		changes: () => ({
			'Place and Wait': { contactRules: { doNotContact: GRACE }, waitAtMost: 0.001 },
		}),
		puts: {
			Report: [
				{
					report: [
						`${ADA}: no end of the call is known`,
						`${GRACE}: not called: doNotContact`,
						`${KATHERINE}: no end of the call is known`,
					].join('\n'),
				},
			],
		},
	},
	{
		file: 'failed-calls.json',
		does: 'saves the calls that failed, and says whether they may have been placed',
		faults: TWO_CALLS_FAIL,
		puts: {
			'Continue with Placed Calls': [{ toNumber: ADA }],
			'Save for Review': [
				{ id: 1, phone: GRACE, name: 'Grace', called: 'no', executionId: ANY_TEXT },
				{ id: 2, phone: KATHERINE, name: 'Katherine', called: 'unknown' },
			],
		},
	},
	{
		file: 'settle-contacts.json',
		does: 'sets the open rows of an execution to "notMade", and changes nothing else of them',
		changes: () => ({ 'Which Rows': texts({ execution: '7', table: 'Contact book' }) }),
		prepare: addOpenRows,
		puts: {
			'Settle Claimed': [{ outcome: 'notMade', doNotContact: true, reference: 'C-1001' }],
			'Settle Unknown': [{ outcome: 'notMade', doNotContact: null, execution: '7' }],
		},
	},
	{
		file: 'settle-contacts.json',
		does: 'changes nothing as long as no execution is entered',
		prepare: addOpenRows,
		puts: { 'Settle Claimed': [], 'Settle Unknown': [] },
	},
	{
		file: 'template-then-follow-up.json',
		does: 'follows up with a message in the open window, and with a template otherwise',
		changes: () => SHORT_WAIT,
		prepare: () => {
			world().simulator.customerReplies(ADA);
		},
		puts: {
			'Send Follow-Up': [
				{ toNumber: ADA, result: 'sent', sentAs: 'message' },
				{ toNumber: GRACE, result: 'sent', sentAs: 'template' },
			],
		},
		sends: [
			['startMsgapp', [{ toNumber: ADA }, { toNumber: GRACE }]],
			['continueMsgapp', [{ toNumber: ADA, attributes: { firstName: 'Ada' } }]],
		],
	},
	{
		file: 'template-then-follow-up.json',
		does: 'sends no follow-up after a template that may not have arrived',
		changes: () => SHORT_WAIT,
		faults: [{ endpoint: 'startMsgapp', kind: 'resetAfter', when: isTo(GRACE) }],
		puts: {
			'Review Failures': [{ details: { toNumber: GRACE, outcome: 'unknown' } }],
			'Send Follow-Up': [{ toNumber: ADA }],
		},
	},
	{
		...campaign,
		does: 'gives the link of the sheet to the service',
		puts: { 'Create Campaign': [{ message: ANY_TEXT }] },
		sends: [['createBulkCampaign', [{ ...CAMPAIGN, sheetURL: ON_THIS_MACHINE }]]],
	},
	{
		...campaign,
		does: 'says that nobody was contacted if the service refuses',
		faults: [{ endpoint: 'createBulkCampaign', kind: 'status', status: 402 }],
		ends: ['error'],
		error: 'Nobody was contacted: ',
	},
	{
		...campaign,
		does: 'says that the campaign may have been created if the answer is lost',
		faults: [{ endpoint: 'createBulkCampaign', kind: 'resetAfter' }],
		ends: ['error'],
		error: 'The campaign "Spring" may have been created: ',
	},
	{
		...removal,
		does: 'removes what is older than its days, to the minute, and keeps opt-outs',
		after: expectLeft((isLeft) => isLeft),
	},
	{
		...removal,
		does: 'removes nothing and fails if the days are not a number above 0',
		changes: () => ({ 'What to Keep': NO_DAYS }),
		ends: ['error'],
		error: 'no number of days',
		after: expectLeft(() => true),
	},
	promptRun('writes nothing that was not approved', ['disapprove'], []),
	promptRun('keeps what was approved twice', ['approve', 'approve'], [NEW_PROMPT]),
	promptRun(
		'takes back what is not wanted after the trial',
		['approve', 'disapprove'],
		[NEW_PROMPT, PROMPT],
	),
	promptRun('takes the prompt back if the trial fails', ['approve'], [NEW_PROMPT, PROMPT], {
		faults: [{ endpoint: 'chat', kind: 'status', status: 500 }],
	}),
	promptRun(
		'takes the prompt back if nobody answers',
		['approve'],
		[NEW_PROMPT, PROMPT],
		{},
		{ 'Ask Whether to Keep It': { options: { limitWaitTime: SIX_SECONDS } } },
	),
	{
		...syncing,
		does: 'adds and deletes what differs, and changes nothing in a second run',
		ends: ['success', 'success'],
		sends: [
			['addParagraphs', [{}]],
			['deleteParagraph', [{}, {}]],
		],
	},
	...[
		{ endpoint: 'addParagraphs', kind: 'resetAfter' } as const,
		{ endpoint: 'deleteParagraph', kind: 'status', status: 403 } as const,
	].map((fault): Run => ({
		...syncing,
		does: `arrives in a second run if the first broke at ${fault.endpoint}`,
		faults: [{ ...fault, times: 1 }],
		ends: ['error', 'success'],
	})),
	{
		...approval('approve', 'callId'),
		does: 'calls once when the reviewer has approved, and not before',
		puts: { Agent: [{ output: 'Done.' }] },
		sends: [['placeCall', [{ toNumber: ADA }]]],
	},
	{
		...approval('disapprove', 'rejected'),
		does: 'calls nobody when the reviewer has not approved, and the agent reads it',
		sends: [['placeCall', []]],
	},
];

const sent = (endpoint: EndpointName): unknown[] =>
	world()
		.simulator.processed(endpoint)
		.map(({ body }) => body);

/** Runs the example until its end, with the clicks of a reviewer. */
async function runOnce({ file, from = START, changes, clicks = [], sends = [] }: Run) {
	const { client } = world();
	const { id } = await client.createWorkflow(exampleWith(file, changes?.()));
	const executionId = await client.start(id, from);
	const reviews: [review: Review, button: Click[0]][] = [];
	for (const [number, [button, ...shown]] of clicks.entries()) {
		const review = await reviewOf(client, executionId, mail(), number);
		for (const text of shown) expect(review.mail).toContain(text);
		for (const [endpoint, bodies] of sends.slice(0, 1))
			expect(sent(endpoint)).toMatchObject(bodies.slice(0, number));
		await open(review[button]);
		reviews.push([review, button]);
	}
	const execution = await client.finished(executionId);
	// A link that is opened once more does nothing.
	for (const [review, button] of reviews) await open(review[button]);
	return execution;
}

it.each(RUNS)('the example $file $does', async (run) => {
	const { faults = [], ends = ['success'], error = '', puts = {}, sends = [] } = run;
	for (const fault of faults) world().simulator.addFault(fault);
	await run.prepare?.();
	for (const [index, end] of ends.entries()) {
		const execution = await runOnce(run);
		expect(execution.status).toBe(end);
		if (index < ends.length - 1) continue;
		expect(execution.data.resultData.error?.message ?? '').toContain(error);
		const put = Object.keys(puts).map((name) => [name, itemsOf(execution, name)]);
		expect(Object.fromEntries(put)).toMatchObject(puts);
	}
	for (const [endpoint, bodies] of sends) expect(sent(endpoint)).toMatchObject(bodies);
	await run.after?.();
});

it('the example "Phone somebody" tells the other workflow what became of each call', async () => {
	const { client, simulator } = world();
	for (const fault of TWO_CALLS_FAIL) simulator.addFault(fault);
	const workflow = await client.createWorkflow(exampleWith('phone-somebody.json', NOT_AGAIN_SOON));
	await client.activate(workflow);
	const asked = [ADA, GRACE, KATHERINE, '12', ADA].map((phone) => ({
		...{ phone, name: 'Ada', topic: 'Your visit' },
	}));
	const results = itemsOf(await runAsSubWorkflow(client, workflow, asked), SUB_WORKFLOW);

	expect(called(world())).toEqual([ADA, KATHERINE]);
	expect(simulator.processed('placeCall')[0]?.body).toMatchObject({
		attributes: { customField1: 'Ada', customField2: 'Your visit' },
	});
	expect(results).toMatchObject([
		{ toNumber: ADA, result: 'placed', callId: ANY_TEXT },
		{ details: { toNumber: GRACE, outcome: 'refused' } },
		{ details: { toNumber: KATHERINE, outcome: 'unknown' } },
		{ details: { toNumber: '12', outcome: 'notSent' } },
		{ toNumber: ADA, result: 'heldBack', reason: 'contactedRecently' },
	]);
	expect(results.filter(({ result }) => result === undefined)).toHaveLength(3);
});

it('the example "Support chat" continues each user\'s own conversation, and reads it', async () => {
	const { client } = world();
	const draft = exampleWith('support-chat.json', { 'Chat Message': { public: true } });
	const pathOf = (saved: WorkflowDraft) =>
		`/webhook/${nodeOf(saved, 'Chat Message').webhookId ?? ''}/chat`;
	const workflow = await createActive(client, draft, pathOf);
	for (const [sessionId, chatInput] of [
		['customer-4711', TRIAL],
		['customer-4712', 'Hello'],
	]) {
		const message = { action: 'sendMessage', sessionId, chatInput };
		const { data } = await post(`${client.baseUrl}${pathOf(workflow)}`, message);
		expect(data).toMatchObject({ output: `You asked: ${chatInput}` });
	}

	const execution = await client.run(workflow.id, START);
	const [conversation] = itemsOf(execution, 'Read Conversation');
	const contents = ['Do you speak English?', 'Yes, we do.', TRIAL, `You asked: ${TRIAL}`];
	expect(conversation?.messages).toMatchObject(contents.map((content) => ({ content })));
});
