import type { INodeParameters } from 'n8n-workflow';
import { itemsOf } from '../executions';
import { post } from '../post';
import {
	activateCalls,
	activateSingleCalls,
	CALL_NODE,
	callsPlaced,
	holdAnswers,
	people,
	PLACE_CALL,
	reached,
	refuseOnce,
} from './calls';
import {
	CALL_WITH_BOOK,
	each,
	ONCE_A_DAY,
	openBook,
	outcomesOf,
	rowsOf,
	textOf,
	WITH_BOOK,
} from './contactBook';
import { createOneNode, jsonOf, runOneNode, START, useWorld } from './world';

const DAY_MS = 24 * 3_600_000;

const world = useWorld();

describe('a list of contacts', () => {
	it('has a row for each: a claim before its request, what came of it afterwards', async () => {
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
				contactedAt: expect.stringMatching(/./) as unknown,
				doNotContact: null,
				endedAt: null,
				summary: null,
				resumeUrl: null,
			})),
		);
		expect(ended?.raw).not.toContain(book.data.apiKey);
	});

	it('is written down when it is longer than what is asked for at a time', async () => {
		const book = await openBook(world());
		const all = people(180);

		const execution = await runOneNode(book.world, { ...CALL_WITH_BOOK, ...ONCE_A_DAY }, all);

		expect(execution.status).toBe('success');
		expect(reached(world().simulator, all)).toEqual(all.map(() => 1));
		expect(await outcomesOf(book)).toEqual(each(all, 'accepted'));
	});

	it('whose execution fails is called on by its retry, and by nobody else again', async () => {
		const book = await openBook(world());
		const { client, simulator } = book.world;
		const all = people(3);
		const parameters = { ...CALL_WITH_BOOK, ...ONCE_A_DAY, options: { maxConcurrentRequests: 1 } };
		const { id } = await createOneNode(book.world, parameters, all);
		refuseOnce(simulator, all[2]);

		const failed = await client.run(id, START);
		const afterFailure = await outcomesOf(book);
		const retried = await client.retry(failed.id);

		expect(failed.status).toBe('error');
		expect(afterFailure).toEqual([
			...each(all.slice(0, 2), 'accepted'),
			...each(all.slice(2), 'notMade'),
		]);
		expect(retried.status).toBe('success');
		expect(jsonOf(retried)[0]?.map(({ result }) => result)).toEqual(all.map(() => 'placed'));
		expect(reached(simulator, all)).toEqual([1, 1, 1]);
		const made = (await outcomesOf(book)).filter(([, outcome]) => outcome !== 'notMade');
		expect(made).toEqual(each(all, 'accepted'));
	});
});

describe('whom another workflow has contacted', () => {
	it('is held back by each node that uses the book, and by no other', async () => {
		const book = await openBook(world());
		const [ada, grace] = people(2);
		await runOneNode(book.world, CALL_WITH_BOOK, [{ ...ada }]);
		const both = [{ ...ada }, { ...grace }];

		const [held] = jsonOf(await runOneNode(book.world, { ...CALL_WITH_BOOK, ...ONCE_A_DAY }, both));
		const [without] = jsonOf(await runOneNode(book.world, { ...PLACE_CALL, ...ONCE_A_DAY }, both));

		expect(held).toMatchObject([
			{ toNumber: ada?.phone, result: 'heldBack', reason: 'contactedRecently' },
			{ toNumber: grace?.phone, result: 'placed' },
		]);
		expect(without).toMatchObject([{ result: 'placed' }, { result: 'placed' }]);
	});

	it('too often is held back until the oldest of these contacts is old enough', async () => {
		const book = await openBook(world());
		const [ada] = people(1);
		const call = async (contactRules: INodeParameters) =>
			jsonOf(await runOneNode(book.world, { ...CALL_WITH_BOOK, contactRules }, [{ ...ada }]))[0];
		await call({});
		await call({});

		const held = await call({ atMostContacts: 2, atMostDays: 3 });

		const times = (await rowsOf(book)).map(({ contactedAt }) => Date.parse(textOf(contactedAt)));
		const until = Math.min(...times) + 3 * DAY_MS;
		expect(held).toMatchObject([{ result: 'heldBack', reason: 'contactedOften' }]);
		expect(Math.floor((Date.parse(textOf(held?.[0]?.notBefore)) - until) / 1000)).toBe(0);
		expect(await call({ atMostContacts: 3 })).toMatchObject([{ result: 'placed' }]);
	});

	it('is held back everywhere by a row with doNotContact that somebody has entered', async () => {
		const book = await openBook(world());
		const both = ['+4915112345678', '+4915112345679'].map((phone) => ({ phone }));
		const call = async () => jsonOf(await runOneNode(book.world, CALL_WITH_BOOK, both))[0];
		expect(await call()).toMatchObject([{ result: 'placed' }, { result: 'placed' }]);

		await book.table.insert({ phone: '0049 (151) 123-45678', doNotContact: true });

		const held = { result: 'heldBack', reason: 'doNotContact', notBefore: null };
		expect(await call()).toMatchObject([held, { result: 'placed' }]);
		await book.table.insert({ phone: 'Grace', doNotContact: true });
		const blind = await runOneNode(book.world, CALL_WITH_BOOK, both);
		expect(blind.status).toBe('error');
		expect(blind.data.resultData.error?.message).toMatch(/Do Not Contact.+row \d+/);
	});
});

describe('executions at the same moment', () => {
	it('call each person once, and write down what became of each', async () => {
		const book = await openBook(world());
		const { client, simulator, credentials } = book.world;
		const all = people(10);
		const { workflow, path } = await activateSingleCalls(client, credentials, {
			parameters: { ...WITH_BOOK, ...ONCE_A_DAY },
		});

		await Promise.all(
			all
				.flatMap((person) => [person, person, person])
				.map(async (person) => post(`${client.baseUrl}${path}`, person)),
		);
		const ended = await client.finishedAfter('0', workflow.id, 3 * all.length);

		const results = ended.flatMap((one) => itemsOf(one, CALL_NODE)).map(({ result }) => result);
		expect(reached(simulator, all)).toEqual(all.map(() => 1));
		expect(results.filter((result) => result === 'heldBack')).toHaveLength(2 * all.length);
		const contacts = (await outcomesOf(book)).filter(([, outcome]) => outcome !== 'notMade');
		expect(contacts).toEqual(each(all, 'accepted'));
	});
});
