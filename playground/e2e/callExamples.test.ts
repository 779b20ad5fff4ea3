import type { IDataObject } from 'n8n-workflow';
import { itemsOf } from '../executions';
import { readExample } from '../setup';
import { openDataTables, type DataTables } from './dataTables';
import { exampleBook } from './contactBook';
import {
	ADA,
	called,
	exampleWith,
	GRACE,
	isTo,
	KATHERINE,
	runAsSubWorkflow,
	runExample,
	SUB_WORKFLOW,
} from './exampleWorkflows';
import { useWorld } from './world';

const world = useWorld();

/** Lets the call to Grace be refused, and the answer to the call to Katherine get lost. */
function failTwo(): void {
	world().simulator.addFault({ kind: 'status', status: 400, when: isTo(GRACE) });
	world().simulator.addFault({ kind: 'resetAfter', when: isTo(KATHERINE) });
}

describe('the example "Failed calls for review"', () => {
	const TABLE = 'Calls to review';
	let tables: DataTables;

	beforeAll(async () => {
		tables = await openDataTables(world().client.baseUrl);
	});

	beforeEach(async () => {
		await (await tables.find(TABLE))?.remove();
	});

	it('saves the calls that failed, and says whether they may have been placed', async () => {
		failTwo();
		const execution = await runExample(world().client, 'failed-calls.json');

		expect(execution.status).toBe('success');
		expect(itemsOf(execution, 'Continue with Placed Calls')).toHaveLength(1);
		expect(await (await tables.find(TABLE))?.rows()).toMatchObject([
			{ phone: GRACE, name: 'Grace', called: 'no', executionId: execution.id },
			{ phone: KATHERINE, name: 'Katherine', called: 'unknown', executionId: execution.id },
		]);
	});
});

describe('the example "Phone somebody"', () => {
	const always = { 'Place Call': { contactRules: { notAgainWithin: 1 } } };
	async function phone(phones: string[]) {
		const { client } = world();
		const workflow = await client.createWorkflow(exampleWith('phone-somebody.json', always));
		await client.activate(workflow);
		const items = phones.map((one) => ({ phone: one, name: 'Ada', topic: 'Your visit' }));
		return itemsOf(await runAsSubWorkflow(client, workflow, items), SUB_WORKFLOW);
	}

	it('tells the other workflow what became of each call', async () => {
		failTwo();
		const results = await phone([ADA, GRACE, KATHERINE, '12', ADA]);

		expect(called(world())).toEqual([ADA, KATHERINE]);
		expect(world().simulator.processed('placeCall')[0]?.body).toMatchObject({
			attributes: { customField1: 'Ada', customField2: 'Your visit' },
		});
		const callId = expect.stringMatching(/./) as unknown;
		expect(results).toMatchObject([
			{ toNumber: ADA, result: 'placed', callId },
			{ details: { toNumber: GRACE, outcome: 'refused' } },
			{ details: { toNumber: KATHERINE, outcome: 'unknown' } },
			{ details: { toNumber: '12', outcome: 'notSent' } },
			{ toNumber: ADA, result: 'heldBack', reason: 'contactedRecently' },
		]);
		expect(results.filter(({ result }) => result === undefined)).toHaveLength(3);
	});

	it('can be tried by hand', async () => {
		const execution = await runExample(world().client, 'phone-somebody.json', always);

		expect(itemsOf(execution, 'Place Call')).toMatchObject([{ toNumber: ADA, result: 'placed' }]);
	});
});

describe('the example "Calls without an end"', () => {
	const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
	const call = (contactId: string, hours: number, more: IDataObject = {}) => ({
		phone: ADA,
		operation: 'call.place',
		outcome: 'accepted',
		contactId,
		contactedAt: hoursAgo(hours),
		...more,
	});

	async function report() {
		const { client } = world();
		const { id } = await client.createWorkflow(readExample('calls-without-end.json'));
		const execution = await client.run(id, 'Every Morning');
		expect(execution.status).toBe('success');
		return itemsOf(execution, 'Write Report');
	}

	it('reports the calls of the last days of which no end was heard', async () => {
		const book = await exampleBook(world().client);
		await book.clear();
		const first = call('first', 5, { reference: 'C-1001' });
		const second = call('second', 6 * 24);
		const others = [
			call('too new', 3),
			call('too old', 8 * 24),
			call('ended', 5, { endedAt: hoursAgo(4) }),
			call('not made', 5, { outcome: 'notMade' }),
			call('a message', 5, { operation: 'sms.start' }),
			{ phone: ADA, doNotContact: true },
		];
		for (const row of others) await book.insert(row);
		expect(await report()).toEqual([]);

		await book.insert(first);
		await book.insert(second);

		const lines = [
			`${first.contactedAt} ${ADA} C-1001 first`,
			`${second.contactedAt} ${ADA} second`,
		];
		expect(await report()).toEqual([{ calls: 2, report: lines.join('\n') }]);
	});
});
