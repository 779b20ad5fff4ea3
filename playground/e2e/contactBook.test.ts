import { itemsOf } from '../executions';
import { post } from '../post';
import { WEBHOOK_HEADER } from '../setup';
import { activateCalls, CALL_NODE, callsPlaced, holdAnswers, people } from './calls';
import {
	CALL_WITH_BOOK,
	each,
	openBook,
	outcomesOf,
	rowsOf,
	textOf,
	WITH_BOOK,
} from './contactBook';
import { createOneNode, createTrigger, jsonOf, START, useWorld } from './world';

const ANY_TEXT = expect.stringMatching(/./) as unknown;

const world = useWorld();

it('a list has a row for each contact: a claim before its request, what came of it afterwards', async () => {
	const book = await openBook(world());
	const { client, simulator, credentials } = book.world;
	const all = people(8);
	const parameters = { ...WITH_BOOK, options: { reference: '=CRM {{ $json.phone }}' } };
	const { workflow, path } = await activateCalls(client, credentials, { parameters });
	const goOn = holdAnswers(simulator);

	await post(`${client.baseUrl}${path}`, { people: all });
	await callsPlaced(simulator, all.length);
	const during = await outcomesOf(book);
	goOn();
	const [ended] = await client.finishedAfter('0', workflow.id, 1);

	expect(during).toEqual(each(all, 'claimed'));
	const placed = ended === undefined ? [] : itemsOf(ended, CALL_NODE);
	expect(await rowsOf(book)).toMatchObject(
		all.map(({ phone }, index) => ({
			phone,
			operation: 'call.place',
			outcome: 'accepted',
			contactId: placed[index]?.callId,
			reference: `CRM ${phone}`,
			workflow: workflow.id,
			execution: ended?.id,
			mode: 'live',
			contactedAt: ANY_TEXT,
			doNotContact: null,
			endedAt: null,
			summary: null,
			resumeUrl: null,
		})),
	);
	expect(ended?.raw).not.toContain(book.data.apiKey);

	// Whose name somebody has mistyped, begins a new table.
	const { table, ...data } = book.data;
	const { assistantServiceContactBookApi: typed } = credentials;
	const typo = await client.testCredential(typed, { ...data, table: `${table}s` });
	expect(typo).toEqual({
		status: 'Error',
		message: expect.stringMatching(`are in .*"${table}"`) as unknown,
	});
});

it('the trigger puts out whose call has ended, and writes its end into the row', async () => {
	const book = await openBook(world());
	const { client, simulator, secret } = book.world;
	const trigger = await createTrigger(book.world, { authentication: 'secret', ...WITH_BOOK });
	simulator.setWebhooks([{ url: trigger.url, headers: { [WEBHOOK_HEADER]: secret } }]);
	const options = { reference: 'CRM 7', resumeUrl: '={{ $execution.resumeUrl }}' };
	const workflow = await createOneNode(book.world, { ...CALL_WITH_BOOK, options }, people(1));
	const called = await client.run(workflow.id, START);
	const callId = textOf(jsonOf(called)[0]?.[0]?.callId);

	await simulator.endCall(callId, { summary: 'An appointment on Monday.' });

	const [row] = await rowsOf(book);
	expect(row).toMatchObject({
		outcome: 'accepted',
		contactId: callId,
		endedAt: ANY_TEXT,
		summary: 'An appointment on Monday.',
	});
	const executions = await client.finishedAfter('0', trigger.workflowId, 1);
	expect(executions.flatMap(trigger.outputOf)).toMatchObject([
		{
			callId,
			summary: 'An appointment on Monday.',
			contact: {
				phone: people(1)[0]?.phone,
				reference: 'CRM 7',
				operation: 'call.place',
				contactedAt: row?.contactedAt,
				workflow: workflow.id,
				execution: called.id,
				resumeUrl: expect.stringContaining(`/webhook-waiting/${called.id}`) as unknown,
			},
		},
	]);
});
