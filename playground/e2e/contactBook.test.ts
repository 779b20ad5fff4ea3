import { WEBHOOK_HEADER } from '../setup';
import { people, PLACE_CALL } from './calls';
import { openBook, rowsOf, textOf } from './contactBook';
import { createOneNode, createTrigger, jsonOf, runOneNode, START, useWorld } from './world';

const ANY_TEXT = expect.stringMatching(/./) as unknown;

const world = useWorld();

it('the trigger puts out whose call has ended, writes it into the row, and opts out a person who says so', async () => {
	const book = await openBook(world());
	const { client, simulator, secret } = book.world;
	const options = { optOutProperty: 'optOut' };
	const trigger = await createTrigger(book.world, { authentication: 'secret', options });
	simulator.setWebhooks([{ url: trigger.url, headers: { [WEBHOOK_HEADER]: secret } }]);
	const all = people(2);
	const parameters = { ...PLACE_CALL, options: { reference: 'CRM 7' } };
	const workflow = await createOneNode(book.world, parameters, all);
	const called = await client.run(workflow.id, START);
	const [calls = []] = jsonOf(called);

	const summary = 'An appointment on Monday.';
	await simulator.endCall(textOf(calls[0]?.callId), { summary, optOut: 'Yes' });
	await simulator.endCall(textOf(calls[1]?.callId), { summary, optOut: false });

	const rows = await rowsOf(book);
	const [first, optOut, second] = rows;
	expect(rows).toHaveLength(3);
	for (const [index, row] of [first, second].entries())
		expect(row).toMatchObject({
			...{ outcome: 'accepted', contactId: calls[index]?.callId, endedAt: ANY_TEXT, summary },
			...{ operation: 'call.place', reference: 'CRM 7', mode: 'live', contactedAt: ANY_TEXT },
			...{ workflow: workflow.id, execution: called.id, doNotContact: null, resumeUrl: null },
		});
	expect(called.raw).not.toContain(book.data.n8nApiKey);
	const { phone } = all[0] ?? {};
	expect(optOut).toMatchObject({ phone, doNotContact: true, outcome: null, endedAt: null });
	const executions = await client.finishedAfter('0', trigger.workflowId, 2);
	const contact = { reference: 'CRM 7', operation: 'call.place', contactedAt: first?.contactedAt };
	expect(executions.flatMap(trigger.outputOf)).toMatchObject([
		{
			...{ callId: calls[0]?.callId, summary, optedOut: true },
			contact: { ...contact, phone, workflow: workflow.id, execution: called.id },
		},
		{ optedOut: null },
	]);

	expect(jsonOf(await runOneNode(book.world, PLACE_CALL, all))[0]).toMatchObject([
		{ toNumber: phone, result: 'heldBack', reason: 'doNotContact', notBefore: null },
		{ toNumber: all[1]?.phone, result: 'placed' },
	]);
});
