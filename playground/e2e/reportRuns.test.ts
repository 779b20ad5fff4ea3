import { COLUMNS } from '../../nodes/shared/book/columns';
import {
	ANSWERS_OF_ONE_CALL,
	EMPTY,
	EMPTY_OUTPUT,
	EVENT,
	NESTED,
	OF_ONE_CALL,
	NOT_TAKEN,
	TAKEN,
} from '../../test/reports/eventBodies';
import { PAGES } from '../../test/reports/pages';
import {
	AGENT_VALUES,
	NOTATIONS,
	NUMBER,
	referencesTo,
	WITH_A_BAD_ROW,
} from '../../test/reports/runs';
import { openDataTables } from '../dataTables';
import { itemsOf } from '../executions';
import { post, type Answer } from '../post';
import { apiCredentialData, bookData } from '../setup';
import { createAgent, TOOL, useAgentWorld } from './agent';
import { activateCalls, CALL_NODE, people, PLACE_CALL, reached, requestsFor } from './calls';
import { each, ONCE_A_DAY, openBook, outcomesOf } from './contactBook';
import { inTurn } from './modelServer';
import { outputFor, runSideBySide } from './sideBySide';
import { createTrigger, START } from './world';

/** The inputs of test/reports/runs.test.ts and events.test.ts, in few executions of a real n8n. */
const world = useAgentWorld();

beforeEach(() => {
	world().simulator.reset();
});

const TO = { ...PLACE_CALL, toNumber: '={{ $json.to }}' };
const phonesOf = (items: readonly { to: string }[]) => items.map(({ to: phone }) => ({ phone }));
const PEOPLE = people(5).map(({ phone: to }) => ({ to }));

test('Execute Once calls the first item alone, and on both outputs an item knows its row', async () => {
	const outputs = await runSideBySide(
		world(),
		WITH_A_BAD_ROW,
		{ parameters: TO, executeOnce: true },
		{ parameters: TO, onError: 'continueErrorOutput' },
	);

	const row = (item: number) => ({ pairedItem: { item } });
	expect(outputs).toMatchObject([
		[[row(0)]],
		[[row(0), row(2)], [{ ...row(1), json: { ...WITH_A_BAD_ROW[1] } }]],
	]);
	expect(reached(world().simulator, phonesOf(WITH_A_BAD_ROW))).toEqual([2, 0, 1]);
});

test('a field that was dragged calls the person of each row', async () => {
	const variants = referencesTo(START).map((reference) => ({
		parameters: { ...PLACE_CALL, toNumber: `={{ ${reference} }}` },
	}));

	const outputs = await runSideBySide(world(), PEOPLE, ...variants);

	const placed = PEOPLE.map(({ to }) => ({ json: { toNumber: to, result: 'placed' } }));
	expect(outputs).toMatchObject(variants.map(() => [placed]));
	expect(reached(world().simulator, phonesOf(PEOPLE))).toEqual(PEOPLE.map(() => variants.length));
});

/** voygr-tech/placecall#34. */
test('a call that a gateway answers with 502, or whose connection is cut, is unknown', async () => {
	const { simulator } = world();
	const [first, second] = PEOPLE;
	const gateway = { status: 502, process: true, toNumber: first?.to, times: 1 };
	simulator.addFault({ kind: 'status', ...gateway });
	simulator.addFault({ kind: 'resetAfter', toNumber: second?.to, times: 1 });

	const output = await outputFor(world(), PEOPLE, TO);

	const unknown = { details: { outcome: 'unknown' } };
	const placed = PEOPLE.slice(2).map(() => ({ result: 'placed' }));
	expect(output).toMatchObject([unknown, unknown, ...placed]);
	expect(requestsFor(simulator, phonesOf(PEOPLE))).toEqual(PEOPLE.map(() => 1));
});

test('a call that a page refuses is told by its title, and not as a wrong key or value', async () => {
	const { simulator } = world();
	const called = people(PAGES.length).map(({ phone: to }) => ({ to }));
	for (const [index, { status, body }] of PAGES.entries())
		simulator.addFault({
			...{ kind: 'respond', process: false, status, body, toNumber: called[index]?.to },
			headers: { 'content-type': 'text/html' },
		});

	const output = await outputFor(world(), called, TO);

	expect(output).toMatchObject(
		PAGES.map(({ title: serviceMessage }) => ({
			details: { kind: 'badResponse', outcome: 'refused', serviceMessage },
		})),
	);
	expect(requestsFor(simulator, phonesOf(called))).toEqual(PAGES.map(() => 1));
});

test('an agent that gives a number with + calls it, and with anything else nobody', async () => {
	const agent = await createAgent(world());
	const uses = AGENT_VALUES.map(([toNumber]) => ({ tool: TOOL, arguments: { toNumber } }));

	const { answers } = await agent.converse(inTurn(uses));

	expect(answers).toEqual(
		AGENT_VALUES.map(
			([, isCalled]) =>
				expect.stringMatching(isCalled ? 'callId' : /To Number.*nothing was sent/is) as unknown,
		),
	);
	expect(world().simulator.requests).toHaveLength(1);
	expect(reached(world().simulator, [{ phone: NUMBER }])).toEqual([1]);
});

test('a book whose columns came back as numbers is not used', async () => {
	const { client, simulator, secret } = world();
	const tables = await openDataTables(client.baseUrl);
	const book = await bookData(client, 'Imported');
	// Telephones and true, as in the reports.
	const columns = ['phone', 'doNotContact'] as const;
	const variants = columns.map(async (column) => {
		const name = `Imported ${column}`;
		await tables.create(name, { ...COLUMNS, [column]: 'number' });
		const data = { ...apiCredentialData(simulator, secret), ...book, contactBookTable: name };
		const assistantServiceApi = await client.saveCredential('assistantServiceApi', name, data);
		return { parameters: TO, credentials: { assistantServiceApi } };
	});

	const outputs = await runSideBySide(world(), PEOPLE, ...(await Promise.all(variants)));

	expect(outputs).toMatchObject(
		columns.map(() => [PEOPLE.map(() => ({ json: { details: { outcome: 'notSent' } } }))]),
	);
	for (const [index, column] of columns.entries())
		expect(JSON.stringify(outputs[index])).toContain(`${column} (${COLUMNS[column]})`);
	expect(simulator.requests).toEqual([]);
});

test('of ten executions at the same moment, one calls each person', async () => {
	const book = await openBook(world());
	const { client, simulator } = world();
	const all = phonesOf(PEOPLE);
	const options = { parameters: ONCE_A_DAY, responseMode: 'lastNode' } as const;
	const { workflow, path } = await activateCalls(client, book.world.credentials, options);

	const begun = Array.from({ length: 10 }, async () => {
		await post(`${client.baseUrl}${path}`, { people: all });
	});
	await Promise.all(begun);

	const executions = await client.finishedAfter('0', workflow.id, 10);
	const results = executions.flatMap((one) => itemsOf(one, CALL_NODE)).map(({ result }) => result);
	expect(results.filter((result) => result === 'placed')).toHaveLength(all.length);
	expect(reached(simulator, all)).toEqual(all.map(() => 1));
	const accepted = (await outcomesOf(book)).filter(([, outcome]) => outcome === 'accepted');
	expect(accepted).toEqual(each(all, 'accepted'));
});

test('one number in four notations is one person', async () => {
	const { world: own } = await openBook(world());
	const items = NOTATIONS.map((to) => ({ to }));

	const output = await outputFor(own, items, { ...TO, ...ONCE_A_DAY });

	expect(output.map(({ toNumber, result }) => [toNumber, result])).toEqual(
		['placed', 'heldBack', 'heldBack', 'heldBack'].map((result) => [NUMBER, result]),
	);
});

/** A trigger of calls that end, and what comes of deliveries to it, one after the other. */
async function open(options = {}) {
	const { client } = world();
	const { url, workflowId, outputOf } = await createTrigger(world(), {
		authentication: 'none',
		options,
	});
	return {
		send: async (type: string, body: string): Promise<Answer> =>
			// axios would make JSON of a text that is none.
			await post(url, Buffer.from(body), { headers: { 'content-type': type } }),
		outputs: async (count: number) =>
			(await client.finishedAfter('0', workflowId, count)).flatMap(outputOf),
	};
}

test('an event is taken as it comes, what is none is refused, and one with empty fields has no ID', async () => {
	const { send, outputs } = await open();
	const empty = JSON.stringify(EMPTY);

	const refused: Answer[] = [];
	for (const [type, body] of NOT_TAKEN) refused.push(await send(type, body));
	const taken: Answer[] = [];
	for (const [index, [type, body]] of TAKEN.entries())
		taken.push(await send(type, body.replace(EVENT.callId, `call ${index}`)));
	for (const body of [empty, empty]) taken.push(await send('application/json', body));

	expect(refused).toMatchObject(
		NOT_TAKEN.map(() => ({ status: 400, data: { hint: expect.any(String) as unknown } })),
	);
	expect(taken).toMatchObject(taken.map(() => ({ status: 200, data: { received: true } })));
	expect(await outputs(taken.length)).toMatchObject([
		...TAKEN.map((_, index) => ({ callId: `call ${index}`, summary: EVENT.summary })),
		...[EMPTY_OUTPUT, EMPTY_OUTPUT],
	]);
});

test('an ID that is inside other properties is named by its path', async () => {
	const { send, outputs } = await open(NESTED.options);

	await send('application/json', JSON.stringify(NESTED.body));

	expect(await outputs(1)).toMatchObject([NESTED.output]);
});

test.each(ANSWERS_OF_ONE_CALL)(
	'ended and analysed are one call with Ignore Repeats %j',
	async (ignoreRepeats, expected) => {
		const { send, outputs } = await open({ callIdProperty: 'call_id', ignoreRepeats });

		const answers: unknown[] = [];
		for (const event of OF_ONE_CALL)
			answers.push((await send('application/json', JSON.stringify(event))).data);

		expect(answers).toEqual(expected);
		const executions = expected.filter((answer) => 'received' in answer);
		expect(await outputs(executions.length)).toHaveLength(executions.length);
	},
);
