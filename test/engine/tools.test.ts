import axios from 'axios';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { KNOWLEDGE_BASE_ID, WORKSPACE_ID } from '../simulator/seed';
import { runNode, type NodeSetup } from './engine';
import { credentialFor, numbers, placeCall, useSimulator } from './world';

const simulator = useSimulator();

/** As the AI Agent from version 3 has it run by n8n's engine. */
const tool = (more: Partial<NodeSetup> = {}): NodeSetup => ({
	credential: credentialFor(simulator()),
	parameters: placeCall,
	items: numbers(1),
	...more,
	settings: { rewireOutputLogTo: 'ai_tool', onError: 'stopWorkflow', ...more.settings },
});

const asClient = () => ({ headers: { 'x-api-key': simulator().apiKey }, proxy: false as const });

describe('an agent is told to correct only what it fills itself', () => {
	const CORRECT = /\. Nothing was sent for this item\. Correct the value and try again\.$/;
	const REPORT =
		/\. Nothing was sent\. Do not repeat this tool call: it fails until somebody has corrected the settings of this tool\. Report this\.$/;

	const told = async (parameters: INodeParameters, credential: IDataObject) => {
		const { error } = await runNode({
			...tool({ parameters: { ...placeCall, ...parameters } }),
			items: [{ to: 'x', good: '+15550001000' }],
			credential: { ...credentialFor(simulator()), ...credential } as Record<string, string>,
		});
		expect(simulator().requests).toEqual([]);
		return error?.message;
	};

	const ofModel = (name: string) => `={{ $fromAI('${name}', 'a value', 'string') }}`;
	const toNumber = ofModel('good');
	const write = { resource: 'msgapp', operation: 'continueConversation', toNumber };

	test.each<[what: string, parameters: INodeParameters]>([
		['a number', { toNumber: ofModel('to') }],
		['a number, in any case', { toNumber: '={{ $fromai("to") }}' }],
		['an option', { toNumber, options: { timeout: ofModel('to') } }],
		['a rule', { toNumber, contactRules: { timezone: ofModel('to') } }],
		['an entry', { toNumber, specifyAttributes: 'json', attributesJson: ofModel('to') }],
		['a text that wants another value', { ...write, message: `${ofModel('to')} {name}` }],
	])('%s that the model fills', async (_, parameters) => {
		expect(await told(parameters, {})).toMatch(CORRECT);
	});

	test.each<[what: string, parameters: INodeParameters, credential?: IDataObject]>([
		['Allowed Hours', { toNumber, contactRules: { allowedHours: 'always' } }],
		['Do Not Contact', { toNumber, contactRules: { doNotContact: '0151 1' } }],
		['a rule that gives nothing', { toNumber, contactRules: { timezone: '={{ $json.zone }}' } }],
		['an option', { toNumber, options: { timeout: 'soon' } }],
		['an assistant', { toNumber, assistantId: 'nobody' }],
		['a number of the workflow', { toNumber: '={{ $json.to }}' }],
		[
			'a rule, beside a number of the model',
			{ toNumber: ofModel('to'), contactRules: { timezone: 'x' } },
		],
		['an expression that fails', { toNumber, assistantId: "={{ $('Nobody').item.json.id }}" }],
		['a text that wants another value', { ...write, message: 'Hello {name}' }],
		['a key', { toNumber }, { apiKey: '' }],
		['a workspace', { toNumber }, { workspaceId: 'x' }],
		['a key, beside a number of the model', { toNumber: ofModel('to') }, { apiKey: '' }],
	])('%s that others fill', async (_, parameters, credential = {}) => {
		expect(await told(parameters, credential)).toMatch(REPORT);
	});
});

test('an agent does not wait longer than 30 seconds by default', async () => {
	simulator().addFault({ kind: 'rateLimited', retryAfter: '31' });

	const { error } = await runNode(tool());

	expect(error?.context.details).toMatchObject({ kind: 'rateLimited', outcome: 'refused' });
	expect(error?.message).toMatch(
		/wants to be asked again at \d\S+, in \d+ seconds\. Do not repeat this tool call before then\.$/,
	);
	expect(error?.description).toMatch(/raise "Max Wait"/);
	expect(error?.context.details).not.toHaveProperty('advice');
	expect(simulator().requests).toHaveLength(1);
});

test('n8n hides an error output from agents, so nothing is sent with one', async () => {
	const { error } = await runNode(tool({ settings: { onError: 'continueErrorOutput' } }));

	expect(error?.message ?? '').toMatch(
		/^Nothing was sent: .* Do not repeat this tool call: .* Report this\.$/,
	);
	expect(simulator().requests).toEqual([]);
});

test('an agent reads that a credential that only checks has sent nothing', async () => {
	const credential = { ...credentialFor(simulator()), mode: 'checkOnly' };

	const { items } = await runNode(tool({ credential }));

	expect(items[0]?.json).toMatchObject({
		result: 'checked',
		message: expect.stringMatching(/^Nothing was sent: .* Do not repeat this tool call/) as unknown,
	});
	expect(simulator().requests).toEqual([]);
});

test.each(['High', ' high ', '2', 2])('the priority of a call is also %j', async (priority) => {
	const { error } = await runNode(tool({ parameters: { ...placeCall, priority } }));

	expect(error).toBeUndefined();
	expect(simulator().requests[0]?.body).toMatchObject({ priority: 2 });
});

test('a menu that decides which fields count is filled by the name of an entry, too', async () => {
	const parameters = {
		...placeCall,
		resource: 'campaign',
		operation: 'createSingle',
		campaignType: "={{ 'sms'.toUpperCase() }}",
		triggerType: 'immediately',
		message: 'Hello',
		templateName: 'not for an SMS',
		templateLanguage: 'en',
	};

	const { error } = await runNode(tool({ parameters }));

	expect(error).toBeUndefined();
	expect(simulator().requests[0]?.body).toMatchObject({
		campaignType: 'sms',
		triggerType: 'triggerImmediately',
		message: 'Hello',
	});
	expect(simulator().requests[0]?.body).not.toHaveProperty('templateName');
});

test('an agent is not given more of a knowledge base than it can read, unless it is to be', async () => {
	const text = 'x'.repeat(1_000);
	const paragraphs = Array.from({ length: 60 }, () => ({ value: { data: text } }));
	const at = `/v1/knowledgeBase/addParagraph/${WORKSPACE_ID}/${KNOWLEDGE_BASE_ID}`;
	await axios.post(`${simulator().baseUrl}${at}`, { paragraphs }, asClient());
	const parameters = {
		resource: 'knowledgeBase',
		operation: 'get',
		knowledgeBaseId: KNOWLEDGE_BASE_ID,
	};
	const read = async (options: object) =>
		(await runNode(tool({ parameters: { ...parameters, options: { ...options } }, items: [{}] })))
			.items;

	const short = await read({});
	const whole = await read({ simplify: false });

	expect(short.at(-1)?.json.leftOut).toMatch(/^Only the first \d+ of 63 results/);
	expect(JSON.stringify(short).length).toBeLessThan(40_000);
	expect(JSON.stringify(whole).length).toBeGreaterThan(60_000);
});
