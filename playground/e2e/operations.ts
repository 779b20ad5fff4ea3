import type { INodeParameters } from 'n8n-workflow';
import {
	ASSISTANT_ID,
	FROM_NUMBER,
	KNOWLEDGE_BASE,
	KNOWLEDGE_BASE_ID,
	PHONE_NUMBER_ID,
	PROMPT,
	WORKSPACE_ID,
} from '../../test/simulator/seed';
import type { EndpointName } from '../../test/simulator/endpoints';
import type { Simulator } from '../../test/simulator/simulator';
import type { SavedExecution } from '../restTypes';
import { jsonOf, runOneNode, type World } from './world';

export interface OperationCase {
	resource: string;
	operation: string;
	parameters: INodeParameters;
	/** What has to be true at the service before. */
	before?: (simulator: Simulator) => void;
	/** The requests that the service has to have acted on. */
	requests: EndpointName[];
	output: unknown[];
}

const TO = '+15550102001';
const anyText = expect.stringMatching(/./) as unknown;
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown;
const template = { templateName: 'appointment_reminder', language: 'en' };

const sent = {
	messageId: expect.stringMatching(/^msgapp\./) as unknown,
	messageStatus: 'accepted',
	recipient: '15550102001',
	phoneNumberId: PHONE_NUMBER_ID,
};

const assistantId = ASSISTANT_ID;
const knowledgeBaseId = KNOWLEDGE_BASE_ID;
const fromNumber = FROM_NUMBER;
const reach = { assistantId, fromNumber, toNumber: TO };

/** Every operation once, in an order in which the later ones find what the earlier ones made. */
export const OPERATIONS: OperationCase[] = [
	{
		resource: 'chat',
		operation: 'start',
		parameters: {
			assistantId,
			userIdentifier: 'ada/1',
			question: 'When are you open?',
			customFields: { customField1: 'Ada' },
		},
		requests: ['chat'],
		output: [{ response: 'You asked: When are you open?', conversationId: uuid }],
	},
	{
		resource: 'chat',
		operation: 'continue',
		parameters: { assistantId, userIdentifier: 'ada/1', question: 'And on Sunday?' },
		requests: ['chat'],
		output: [{ response: 'You asked: And on Sunday?', conversationId: uuid }],
	},
	{
		resource: 'chat',
		operation: 'getConversation',
		parameters: { userIdentifier: 'ada/1' },
		requests: ['getConversation'],
		output: [
			{
				_id: uuid,
				workspace: WORKSPACE_ID,
				attributes: { customField1: 'Ada' },
				messages: [
					'When are you open?',
					'You asked: When are you open?',
					'And on Sunday?',
					'You asked: And on Sunday?',
				].map((content) => expect.objectContaining({ content }) as unknown),
			},
		],
	},
	{
		resource: 'call',
		operation: 'place',
		parameters: { ...reach, priority: 2, customFields: { customField8: 'Monday' } },
		requests: ['placeCall'],
		output: [{ callId: uuid, status: 'placed', queued: false, msg: `The call is placed to ${TO}` }],
	},
	{
		resource: 'sms',
		operation: 'start',
		parameters: { ...reach, message: 'See you on Monday' },
		requests: ['startSms'],
		output: [{ msg: expect.stringContaining(TO) as unknown, messageId: uuid }],
	},
	{
		resource: 'campaign',
		operation: 'createSingle',
		parameters: { ...reach, campaignType: 'sms', message: 'See you on Monday' },
		requests: ['createCampaign'],
		output: [{ message: expect.stringContaining('created') as unknown, campaignId: uuid }],
	},
	{
		resource: 'campaign',
		operation: 'createBulk',
		parameters: {
			assistantId,
			fromNumber,
			campaignName: 'Reminders',
			campaignType: 'call',
			sheetUrl: 'https://sheets.example/contacts.csv',
		},
		requests: ['createBulkCampaign'],
		output: [{ message: 'The bulk campaign is triggered', campaignId: null }],
	},
	{
		resource: 'msgapp',
		operation: 'startConversation',
		parameters: { assistantId, toNumber: TO, ...template },
		requests: ['startMsgapp'],
		output: [{ msg: anyText, conversationId: uuid, ...sent }],
	},
	{
		resource: 'msgapp',
		operation: 'continueConversation',
		parameters: {
			assistantId,
			toNumber: TO,
			message: 'Hello {firstName}',
			attributes: { values: [{ name: 'firstName', value: 'Ada' }] },
		},
		before: (simulator) => {
			simulator.customerReplies(TO);
		},
		requests: ['continueMsgapp'],
		output: [{ msg: anyText, conversationId: uuid, sentAs: 'message' }],
	},
	{
		resource: 'msgapp',
		operation: 'sendTemplate',
		parameters: { assistantId, toNumber: TO, ...template },
		requests: ['sendMsgappTemplate'],
		output: [{ msg: anyText, ...sent }],
	},
	{
		resource: 'knowledgeBase',
		operation: 'addParagraphs',
		parameters: {
			knowledgeBaseId,
			paragraphs: { values: [{ text: 'We speak English.' }, { text: 'Dogs may wait outside.' }] },
		},
		requests: ['addParagraphs'],
		output: [{ msg: anyText, added: 2 }],
	},
	{
		resource: 'knowledgeBase',
		operation: 'deleteParagraph',
		parameters: {
			knowledgeBaseId,
			paragraphKey: { __rl: true, mode: 'id', value: 'how-to-cancel' },
		},
		requests: ['deleteParagraph'],
		output: [{ deleted: true, paragraphKey: 'how-to-cancel', msg: 'Paragraph deleted' }],
	},
	{
		resource: 'knowledgeBase',
		operation: 'get',
		parameters: { knowledgeBaseId },
		requests: ['getKnowledgeBase'],
		output: [
			KNOWLEDGE_BASE.paragraphs['opening-hours'],
			KNOWLEDGE_BASE.paragraphs.parking,
			'We speak English.',
			'Dogs may wait outside.',
		].map((text) => ({ key: anyText, text, knowledgeBase: KNOWLEDGE_BASE.label })),
	},
	{
		resource: 'assistant',
		operation: 'updatePrompt',
		parameters: {
			assistantId,
			prompt: 'Answer in one sentence.',
			options: { returnPreviousPrompt: true },
		},
		requests: ['getPrompt', 'updatePrompt'],
		output: [
			{
				prompt: 'Answer in one sentence.',
				previousPrompt: PROMPT,
			},
		],
	},
	{
		resource: 'assistant',
		operation: 'getPrompt',
		parameters: { assistantId },
		requests: ['getPrompt'],
		output: [{ prompt: 'Answer in one sentence.' }],
	},
	{
		resource: 'assistant',
		operation: 'setLock',
		parameters: { assistantId, locked: true },
		requests: ['setLock'],
		output: [{ id: assistantId, locked: true, success: true }],
	},
];

/** Runs an operation by hand, and compares what comes out and what the service acted on. */
export async function checkOperation(
	world: World,
	{ resource, operation, parameters, before, requests, output }: OperationCase,
): Promise<SavedExecution> {
	before?.(world.simulator);
	const alreadyProcessed = world.simulator.processed().length;

	const execution = await runOneNode(world, { resource, operation, ...parameters });

	expect(execution.status).toBe('success');
	expect(jsonOf(execution)).toEqual([output]);
	const processed = world.simulator.processed().slice(alreadyProcessed);
	expect(processed.map(({ endpoint }) => endpoint)).toEqual(requests);
	return execution;
}
