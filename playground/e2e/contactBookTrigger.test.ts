import type { INodeParameters } from 'n8n-workflow';
import { WEBHOOK_HEADER } from '../setup';
import { callsPlaced, holdAnswers, people } from './calls';
import { CALL_WITH_BOOK, openBook, rowsOf, textOf, WITH_BOOK } from './contactBook';
import { createOneNode, createTrigger, jsonOf, START, useWorld } from './world';

const ANY_TEXT = expect.stringMatching(/./) as unknown;

const world = useWorld();

describe('the trigger', () => {
	/** A trigger with the book, to which the service sends its events, and a call of somebody. */
	async function callAndListen(options: INodeParameters = {}) {
		const book = await openBook(world());
		const { simulator, secret } = book.world;
		const parameters = { authentication: 'secret', ...WITH_BOOK, options };
		const trigger = await createTrigger(book.world, parameters);
		simulator.setWebhooks([{ url: trigger.url, headers: { [WEBHOOK_HEADER]: secret } }]);
		const workflow = await createOneNode(
			book.world,
			{
				...CALL_WITH_BOOK,
				options: { reference: 'CRM 7', resumeUrl: '={{ $execution.resumeUrl }}' },
			},
			people(1),
		);
		const event = async () => {
			const [execution] = await book.world.client.finishedAfter('0', trigger.workflowId, 1);
			return execution && trigger.outputOf(execution)[0];
		};
		return { book, trigger, workflow, event };
	}

	it('puts out whose call has ended, and writes its end into the row', async () => {
		const { book, workflow, event } = await callAndListen();
		const { client, simulator } = book.world;
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
		expect(await event()).toMatchObject({
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
		});
	});

	it('knows of no contact if the call is not in the book', async () => {
		const { book, event } = await callAndListen();
		await book.world.simulator.deliverWebhook({ callId: 'of somebody else', summary: 'Hello.' });

		expect(await event()).toMatchObject({ callId: 'of somebody else', contact: null });
		expect(await rowsOf(book)).toEqual([]);
	});

	it('leaves the event as it was sent with Output: Raw, and completes the row', async () => {
		const { book, workflow, event } = await callAndListen({ output: 'raw' });
		const { client, simulator } = book.world;
		const callId = textOf(jsonOf(await client.run(workflow.id, START))[0]?.[0]?.callId);

		await simulator.endCall(callId, { summary: 'Goodbye.' });

		expect(await event()).not.toHaveProperty('contact');
		expect(await rowsOf(book)).toMatchObject([{ summary: 'Goodbye.', endedAt: ANY_TEXT }]);
	});

	it('finds the contact of a call that ends before the answer to its request has come', async () => {
		const { book, workflow, event } = await callAndListen();
		const { client, simulator } = book.world;
		const goOn = holdAnswers(simulator);
		const executionId = await client.start(workflow.id, START);
		await callsPlaced(simulator, 1);
		const [call] = simulator.state().calls;

		const delivered = simulator.endCall(call?.id ?? '', { summary: 'Too fast.' });
		goOn();
		await delivered;
		await client.finished(executionId);

		expect(await event()).toMatchObject({ contact: { phone: people(1)[0]?.phone } });
		expect(await rowsOf(book)).toMatchObject([{ outcome: 'accepted', summary: 'Too fast.' }]);
	});
});
