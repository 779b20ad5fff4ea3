import { itemsOf } from '../executions';
import { post } from '../post';
import { WEBHOOK_HEADER } from '../setup';
import { activateCalls, CALL_NODE, callsPlaced, holdAnswers, people, PLACE_CALL } from './calls';
import { each, openBook, outcomesOf, rowsOf, textOf } from './contactBook';
import { createOneNode, createTrigger, jsonOf, runOneNode, START, useWorld } from './world';

const ANY_TEXT = expect.stringMatching(/./) as unknown;

const world = useWorld();

it('a list has a row for each contact: a claim before its request, what came of it afterwards', async () => {
	const book = await openBook(world());
	const { client, simulator, credentials } = book.world;
	const all = people(8);
	const parameters = { options: { reference: '=CRM {{ $json.phone }}' } };
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
	expect(ended?.raw).not.toContain(book.data.n8nApiKey);

	// A name that is mistyped makes no table.
	const { assistantServiceApi: typed } = credentials;
	const { contactBookTable: table } = book.data;
	const typo = { ...book.data, contactBookTable: `${table}s` };
	expect(await client.testCredential(typed, typo)).toEqual({
		status: 'Error',
		message: expect.stringMatching(`n8n has a contact book: .*"${table}"`) as unknown,
	});
});

it('the trigger puts out whose call has ended, and writes its end into the row', async () => {
	const book = await openBook(world());
	const { client, simulator, secret } = book.world;
	const trigger = await createTrigger(book.world, { authentication: 'secret' });
	simulator.setWebhooks([{ url: trigger.url, headers: { [WEBHOOK_HEADER]: secret } }]);
	const options = { reference: 'CRM 7' };
	const workflow = await createOneNode(book.world, { ...PLACE_CALL, options }, people(1));
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
			},
		},
	]);
});

it('the trigger opts out a person who says so in a call, and the next run holds the person back', async () => {
	const book = await openBook(world());
	const { client, simulator, secret } = book.world;
	const options = { optOutProperty: 'optOut' };
	const trigger = await createTrigger(book.world, { authentication: 'secret', options });
	simulator.setWebhooks([{ url: trigger.url, headers: { [WEBHOOK_HEADER]: secret } }]);
	const all = people(2);
	const [calls = []] = jsonOf(await runOneNode(book.world, PLACE_CALL, all));

	await simulator.endCall(textOf(calls[0]?.callId), { optOut: 'Yes' });
	await simulator.endCall(textOf(calls[1]?.callId), { optOut: false });

	const executions = await client.finishedAfter('0', trigger.workflowId, 2);
	const ended = executions.flatMap(trigger.outputOf);
	expect(ended).toMatchObject([{ optedOut: true }, { optedOut: null }]);
	const optOuts = (await rowsOf(book)).filter(({ doNotContact }) => doNotContact);
	expect(optOuts).toMatchObject([{ phone: all[0]?.phone, outcome: null, endedAt: null }]);
	const again = jsonOf(await runOneNode(book.world, PLACE_CALL, all));
	expect(again[0]).toMatchObject([
		{ toNumber: all[0]?.phone, result: 'heldBack', reason: 'doNotContact', notBefore: null },
		{ toNumber: all[1]?.phone, result: 'placed' },
	]);
});
