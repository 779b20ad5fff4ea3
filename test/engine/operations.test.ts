import Ajv from 'ajv';
import type { IDataObject } from 'n8n-workflow';

import { outputSchema, type OutputSchema } from '../../docs/outputSchemas';
import { isObject } from '../../nodes/shared/values';
import { bookFields } from '../contactBook/bookFields';
import { OPERATION_CASES, OPERATION_ROWS, rowOf } from '../operations';
import { withNewIds } from '../operations/expected';
import { pathOf, type OperationRow } from '../operations/row';
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

/** The columns that an item has only with a reference, or if a rule of contact holds it back. */
const SOMETIMES = new Set(['reference', 'notBefore']);

const ajv = new Ajv({ allErrors: true });

/**
 * Where an item is not as the schema says, or lacks what the editor offers for mapping. The schema is made of the main row,
 * so a property that the row lacks, or shows as `null` only, has no type in it.
 */
function schemaFlaws(schema: OutputSchema, item: IDataObject): string[] {
	const properties = Object.entries(schema.properties);
	const unshown = properties.filter(
		([name, { type }]) => type === 'null' || (!(name in item) && !SOMETIMES.has(name)),
	);
	const shown = Object.fromEntries(properties.filter((property) => !unshown.includes(property)));
	const validate = ajv.compile({ ...schema, properties: shown });
	validate(item);
	return [
		...unshown.map(([name]) => `${name}: the main row must show every property of the output`),
		...(validate.errors ?? []).map(({ dataPath, message = '' }) => `${dataPath} ${message}`),
	];
}

test.each(OPERATION_CASES)('$name', async (entry) => {
	const { method, path, body, output } = entry;
	const { error, items } = await run(entry);

	expect(error).toBeUndefined();
	expect(simulator().requests).toMatchObject([{ method, path, processed: true }]);
	const [sent] = simulator().requests;
	expect(sent?.body).toEqual(body);
	expect(sent?.headers['x-api-key']).toBe(simulator().apiKey);
	expect(items).toEqual(
		output.map((json) => ({ json: withNewIds(json), pairedItem: { item: 0 } })),
	);
	const schema = outputSchema(pathOf(entry));
	expect(items.flatMap(({ json }) => schemaFlaws(schema, json))).toEqual([]);
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
