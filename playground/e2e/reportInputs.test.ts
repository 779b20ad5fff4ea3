import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { rowOf } from '../../test/operations';
import {
	DIGITS,
	listsWith,
	MARKED_COLUMN,
	NUMBER,
	REFUSED,
	SAME,
	SPELLINGS,
} from '../../test/reports/spellings';
import {
	ATTRIBUTES,
	attributes,
	BROKEN_KEYS,
	CURLY_JSON,
	CUSTOM_FIELDS,
	JSON_OF_NOTE,
	KEY,
	LOST_IN_TEXTS,
	message,
	NOTES,
	PASTED_KEYS,
	RULES_OF_ZONE,
	TWO_PARAGRAPHS,
	ZONES,
} from '../../test/reports/values';
import { recipientOf } from '../../test/simulator/recipient';
import { startSimulator } from '../../test/simulator/simulator';
import type { DataTable } from '../dataTables';
import { itemsOf } from '../executions';
import { apiCredentialData } from '../setup';
import { chain, node } from '../workflows';
import { PLACE_CALL } from './calls';
import { openBook } from './contactBook';
import { outputFor, runSideBySide } from './sideBySide';
import { CONTINUE, NODE, ownNode, START, useWorld } from './world';

/** The inputs of test/reports/numbers.test.ts and values.test.ts, in few executions of n8n. */
const world = useWorld();

const NOT_SENT = { details: { kind: 'invalidInput', outcome: 'notSent' } };

/** An operation with the values of its row in test/operations, but for these. */
function entered(path: string, values: INodeParameters): INodeParameters {
	const { resource, operation, parameters } = rowOf(path);
	return { resource, operation, ...parameters, ...values };
}

/** Parameters of n8n's Data Table, for the row with doNotContact to get the number of an item. */
const rowOfItem = ({ table }: { readonly table: DataTable }): INodeParameters => ({
	operation: 'update',
	dataTableId: { __rl: true, mode: 'id', value: table.id },
	filters: { conditions: [{ keyName: 'doNotContact', condition: 'isTrue' }] },
	columns: { mappingMode: 'defineBelow', value: { phone: '={{ $json.phone }}' } },
});

/** A property of the bodies of the requests, in their order. */
const sent = (name: string) =>
	world().simulator.requests.map(({ body }) => (body as IDataObject)[name]);

/** What comes of the spellings, each with its report. */
const named = (results: readonly object[]) =>
	results.map((result, index) => ({ report: SPELLINGS[index % SPELLINGS.length]?.[0], ...result }));

const reportsOf = (some: typeof REFUSED) => some.map(([report]) => report);

/** What comes of them where they name somebody not to be called. */
const HELD_BACK = SPELLINGS.map(([report]) =>
	reportsOf(REFUSED).includes(report) ? NOT_SENT : { reason: 'doNotContact' },
);

describe('every spelling of a number', () => {
	const texts = SPELLINGS.map(([, spell]) => spell(DIGITS));

	test('in a column is the number, or nobody is called', async () => {
		const items = [{ [MARKED_COLUMN]: NUMBER }, ...texts.map((to) => ({ to }))];
		const parameters = { ...PLACE_CALL, toNumber: '={{ $json.to }}' };

		const [marked, ...output] = await outputFor(world(), items, parameters);

		expect(named(output)).toMatchObject(
			named(
				SPELLINGS.map(([report]) =>
					reportsOf(SAME).includes(report) ? { toNumber: NUMBER, result: 'placed' } : NOT_SENT,
				),
			),
		);
		expect(marked?.error).toBe('To Number is empty (row 1); the item has "\\ufeffto"');
		expect(world().simulator.requests.map(recipientOf)).toEqual(SAME.map(() => NUMBER));
	});

	test('on a list finds the person, or nobody is called', async () => {
		const lists = texts.map((text) => listsWith('15550300001', text));
		const items = [...lists.map(([array]) => array), ...lists.map(([, text]) => text)];
		const contactRules = { doNotContact: '={{ $json.list }}' };
		const parameters = { ...PLACE_CALL, toNumber: NUMBER, contactRules };

		const output = await outputFor(
			world(),
			items.map((list) => ({ list })),
			parameters,
		);

		expect(named(output)).toMatchObject(named([...HELD_BACK, ...HELD_BACK]));
		expect(world().simulator.requests).toEqual([]);
	});

	test('in a row with doNotContact finds the person, or nobody is called', async () => {
		const { client, simulator } = world();
		const book = await openBook(world());
		await book.table.insert({ doNotContact: true });
		const parameters = { ...PLACE_CALL, toNumber: NUMBER };
		const start = node('n8n-nodes-base.manualTrigger', START);
		const loop = node('n8n-nodes-base.splitInBatches', 'Loop', {}, { typeVersion: 3 });
		const write = node('n8n-nodes-base.dataTable', 'Row', rowOfItem(book), { typeVersion: 1.1 });
		const call = ownNode(book.world, 'assistantService', NODE, parameters, CONTINUE);
		const { nodes, connections } = chain(start, loop, write, call, loop);
		const { id } = await client.createWorkflow({
			name: 'Opt-outs',
			nodes: nodes.slice(0, -1),
			connections: { ...connections, Loop: { main: [[], ...(connections.Loop?.main ?? [])] } },
			pinData: { [START]: texts.map((text) => ({ json: { phone: String(text) } })) },
		});

		const output = itemsOf(await client.run(id, START), loop.name);

		expect(named(output)).toMatchObject(named(HELD_BACK));
		expect(simulator.requests).toEqual([]);
	});
});

test('messages are sent character for character', async () => {
	const texts = fc.sample(message, { numRuns: 50, seed: 1 });
	const items = texts.map((text) => ({ text, secret: 'no' }));

	await outputFor(world(), items, entered('sms.start', { message: '={{ $json.text }}' }));

	expect(sent('message')).toEqual(texts);
});

test('what a spreadsheet or an expression has lost is sent to nobody, but in a question', async () => {
	for (const [value, item] of LOST_IN_TEXTS) {
		const message = { parameters: entered('sms.start', { message: value }) };
		const question = { parameters: entered('chat.start', { question: value }) };

		const [[messages] = [], [questions] = []] = await runSideBySide(
			world(),
			[item],
			message,
			question,
		);

		expect(messages).toMatchObject([{ json: NOT_SENT }]);
		expect(questions).toMatchObject([{ json: { response: expect.any(String) as string } }]);
	}
});

test('a line that looks empty ends a paragraph', async () => {
	const values = { paragraphSource: 'text', text: '={{ $json.text }}' };
	const items = TWO_PARAGRAPHS.map((text) => ({ text }));

	const output = await outputFor(world(), items, entered('knowledgeBase.addParagraphs', values));

	expect(output).toMatchObject(TWO_PARAGRAPHS.map(() => ({ added: 2 })));
});

test('attributes keep the dots in their names, and false, 0 and nothing', async () => {
	const variants = ATTRIBUTES.map(([values]) => ({
		parameters: entered('msgapp.startConversation', values),
	}));

	await runSideBySide(world(), [{ attributes }], ...variants);

	expect(sent('attributes')).toEqual(ATTRIBUTES.map(([, these]) => these));
});

test('a custom field sends its value, or refuses the item', async () => {
	const items = CUSTOM_FIELDS.map(([value]) => ({ value }));
	const customFields = { customField1: '={{ $json.value }}' };

	const output = await outputFor(world(), items, entered('call.place', { customFields }));

	expect(output).toMatchObject(
		CUSTOM_FIELDS.map(([, text]) => (text === undefined ? NOT_SENT : { result: 'placed' })),
	);
	const texts = CUSTOM_FIELDS.flatMap(([, text]) => text ?? []);
	expect(sent('attributes')).toEqual(texts.map((customField1) => ({ customField1 })));
});

test('JSON that a value breaks refuses its row alone', async () => {
	const variants = [JSON_OF_NOTE, CURLY_JSON].map((attributesJson) => ({
		parameters: entered('call.place', { specifyAttributes: 'json', attributesJson }),
	}));
	const items = NOTES.map(([note]) => ({ note }));

	const [[ofNotes] = [], [curly] = []] = await runSideBySide(world(), items, ...variants);

	expect(ofNotes).toMatchObject(
		NOTES.map(([, these]) => ({ json: these === 'refused' ? NOT_SENT : { result: 'placed' } })),
	);
	expect(curly).toMatchObject(NOTES.map(() => ({ json: NOT_SENT })));
	expect(sent('attributes').map((these) => these ?? 'no attributes')).toEqual(
		NOTES.map(([, these]) => these).filter((these) => these !== 'refused'),
	);
});

test('a pasted key is the key, or nothing is sent', async () => {
	const { client, secret } = world();
	const service = await startSimulator({ apiKey: KEY });
	const keys = [...PASTED_KEYS, ...BROKEN_KEYS];
	const variants = keys.map(async (apiKey, index) => {
		const data = apiCredentialData({ ...service, apiKey }, secret);
		const name = `Pasted Key ${index}`;
		const assistantServiceApi = await client.saveCredential('assistantServiceApi', name, data);
		return { parameters: entered('call.place', {}), credentials: { assistantServiceApi } };
	});

	const outputs = await runSideBySide(world(), [{}], ...(await Promise.all(variants)));
	await service.stop();

	expect(outputs).toMatchObject([
		...PASTED_KEYS.map(() => [[{ json: { result: 'placed' } }]]),
		...BROKEN_KEYS.map(() => [[{ json: NOT_SENT }]]),
	]);
	expect(JSON.stringify(outputs)).not.toContain('ab|');
	expect(service.requests.map(({ headers }) => headers['x-api-key'])).toEqual(
		PASTED_KEYS.map(() => KEY),
	);
});

test('a time zone is read from a row, or refused', async () => {
	const items = ZONES.map(([zone]) => ({ zone }));

	const output = await outputFor(
		world(),
		items,
		entered('call.place', { contactRules: RULES_OF_ZONE }),
	);

	expect(output).toMatchObject(
		ZONES.map(([, isRead]) => (isRead ? { result: 'placed' } : NOT_SENT)),
	);
});
