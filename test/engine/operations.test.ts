import { isObject } from '../../nodes/shared/values';
import { OPERATION_CASES, OPERATION_ROWS, rowOf } from '../operations';
import { withNewIds } from '../operations/expected';
import { pathOf, type OperationCase } from '../operations/row';
import { schemaFlaws, schemaOf } from '../operations/schema';
import { runNode } from './engine';
import { credentialFor, useSimulator } from './world';

const simulator = useSimulator();

const run = async (
	{ resource, operation, parameters }: Omit<OperationCase, 'name'>,
	options = {},
) =>
	await runNode({
		credential: credentialFor(simulator()),
		parameters: {
			resource,
			operation,
			...parameters,
			options: { ...(isObject(parameters.options) && parameters.options), ...options },
		},
	});

test.each(OPERATION_CASES)('$name', async (one) => {
	const { method, path, query = '', body, output, reads } = one;
	const { error, items } = await run(one);

	expect(error).toBeUndefined();
	const main = { method, path, query, processed: true };
	const before = { method: 'GET', path: reads, query: '', processed: true };
	const wanted = reads === undefined ? [main] : [before, main];
	expect(simulator().requests).toMatchObject(wanted);
	const sent = simulator().requests.at(-1);
	expect(sent?.body).toEqual(body);
	expect(sent?.headers['x-api-key']).toBe(simulator().apiKey);
	expect(items).toEqual(
		output.map((json) => ({ json: withNewIds(json), pairedItem: { item: 0 } })),
	);
	expect(items.flatMap(({ json }) => schemaFlaws(schemaOf(one), json))).toEqual([]);
});

test.each(OPERATION_ROWS)('$resource $operation: short enough for a model', ({ output }) => {
	// As the answer of a tool it stands in the context of the model.
	expect(JSON.stringify(output).length).toBeLessThan(600);
});

describe('the schema of the output also holds for', () => {
	test.each<[path: string, name: string, answer: unknown, nulls: string[]]>([
		['assistant.setLock', 'success alone', { success: true }, ['id', 'locked']],
		['call.place', 'an ID alone', { callId: 'c' }, ['reason', 'msg']],
		['call.place', 'a status alone', { status: 'queued' }, ['reason', 'callId', 'msg']],
		['campaign.createBulk', 'a text with an ID', { message: 'Campaign id: 12' }, []],
		[
			'campaign.createSingle',
			'a text without an ID',
			{ message: 'Done' },
			['reason', 'campaignId'],
		],
		['chat.continue', 'no conversation', { response: 'Hello' }, ['conversationId']],
		['chat.getConversation', 'an ID alone', { _id: 'c' }, ['workspace', 'messages', 'attributes']],
		[
			'knowledgeBase.get',
			'an empty paragraph',
			{ knowledgeBase: { paragraphs: [{}] } },
			['key', 'text', 'knowledgeBase'],
		],
		['msgapp.continueConversation', 'an ID alone', { conversationId: 'c' }, ['reason', 'msg']],
		[
			'msgapp.sendTemplate',
			'a text alone',
			{ msg: 'Done' },
			['reason', 'messageId', 'messageStatus', 'recipient', 'phoneNumberId'],
		],
		['sms.start', 'a text without an ID', { msg: 'Done' }, ['reason', 'messageId']],
	])('%s: %s', async (path, _, body, nulls) => {
		simulator().addFault({ kind: 'respond', status: 200, body });

		const { items } = await run(rowOf(path));

		const [item = {}] = items.map(({ json }) => json);
		expect(Object.keys(item).filter((name) => item[name] === null)).toEqual(nulls);
		expect(schemaFlaws(schemaOf(rowOf(path)), item)).toEqual([]);
	});

	test('knowledgeBase.deleteParagraph: a paragraph that the first try has deleted, without a text', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });
		simulator().addFault({ kind: 'empty', status: 404 });

		const row = rowOf('knowledgeBase.deleteParagraph');
		const { items } = await run(row);

		const [item = {}] = items.map(({ json }) => json);
		expect(item).toEqual({ deleted: true, paragraphKey: 'parking', msg: null });
		expect(schemaFlaws(schemaOf(row), item)).toEqual([]);
	});
});

describe.each(OPERATION_ROWS.map((row) => [pathOf(row), row] as const))('%s', (_, row) => {
	test('puts out the body as it came when Simplify is off', async () => {
		const { items } = await run(row, { simplify: false });

		expect(items.map(({ json }) => json)).toEqual([withNewIds(row.answer)]);
	});
});
