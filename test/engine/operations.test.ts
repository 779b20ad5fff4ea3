import { isObject } from '../../nodes/shared/values';
import { bookFields } from '../contactBook/bookFields';
import { OPERATION_CASES, OPERATION_ROWS, rowOf } from '../operations';
import { withNewIds } from '../operations/expected';
import type { OperationRow } from '../operations/row';
import { schemaFlaws, schemaOf } from '../operations/schema';
import { TO_NUMBER } from '../simulator/seed';
import { useBookWorld } from './contactBook';
import { runNode } from './engine';
import { credentialFor } from './world';

const { simulator, tables } = useBookWorld();

const run = async ({ resource, operation, parameters, waits }: OperationRow, options = {}) =>
	await runNode({
		credential: { ...credentialFor(simulator()), ...(waits && bookFields(tables())) },
		parameters: {
			resource,
			operation,
			...parameters,
			options: { ...(isObject(parameters.options) && parameters.options), ...options },
		},
	});

test.each(OPERATION_CASES)('$name', async (one) => {
	const { method, path, body, output } = one;
	const { error, items } = await run(one);

	expect(error).toBeUndefined();
	expect(simulator().requests).toMatchObject([{ method, path, processed: true }]);
	const [sent] = simulator().requests;
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

test.each(OPERATION_ROWS)(
	'$resource $operation: puts out the body as it came when Simplify is off',
	async (row) => {
		const { items } = await run(row, { simplify: false });

		const raw = row.waits ? row.output : [row.answer];
		expect(items.map(({ json }) => json)).toEqual(raw.map(withNewIds));
	},
);

test('a template is sent if the window is closed, and none after a message that may have been sent', async () => {
	const row = rowOf('msgapp.continueConversation');
	const template = { templateName: 'reopen_conversation', language: 'en' };
	const window = { toNumber: TO_NUMBER, whenWindowClosed: 'sendTemplate' };
	const withTemplate = { ...row, parameters: { ...row.parameters, ...window, ...template } };
	const { items } = await run(withTemplate);
	expect(items[0]?.json).toMatchObject({ result: 'sent', sentAs: 'template' });
	expect(simulator().requests).toHaveLength(2);

	const msg = 'More than 24 hours have passed since the last message. Send a template first.';
	simulator().addFault({ kind: 'respond', status: 200, body: { msg, conversationId: 'c-1' } });
	const { error } = await run(withTemplate);
	expect(error?.context.details).toMatchObject({ outcome: 'unknown' });
	expect(simulator().requests).toHaveLength(3);
});
