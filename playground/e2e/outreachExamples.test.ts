import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually';
import { itemsOf } from '../executions';
import { readExample, WEBHOOK_HEADER, webhookPath } from '../setup';
import { nodeOf } from '../workflows';
import { phoneOf } from './calls';
import { openDataTables, type DataTable, type DataTables } from './dataTables';
import { useWorld } from './world';

const OUTREACH = readExample('outreach.json');
const OPT_OUT = readExample('opt-out.json');
const [ADA, GRACE, KATHERINE] = ['+15550102001', '+15550102002', '+15550102003'];
const RESULT_COLUMNS = ['phone', 'contactId', 'result', 'callId', 'note'];
const MINUTE_MS = 60_000;
/** n8n keeps waits of less than 65 seconds in its memory; this one is to come from its database on a busy machine, too. */
const LONG_WAIT_MS = 110_000;

const world = useWorld();
let tables: DataTables;

beforeAll(async () => {
	tables = await openDataTables(world().client.baseUrl);
});

beforeEach(async () => {
	for (const name of ['Do not call', 'Call results']) await (await tables.find(name))?.remove();
});

async function tableOf(name: string): Promise<DataTable> {
	const table = await tables.find(name);
	if (!table) throw new Error(`no table "${name}"`);
	return table;
}

/** Of a contact whose ID is not in its row, nothing is known. */
const resultsOf = async () =>
	(await (await tableOf('Call results')).rows()).map(({ phone, contactId, result }) => [
		contactId === idOf(phone) ? phone : 'nobody',
		result,
	]);

const called = () =>
	world()
		.simulator.processed('placeCall')
		.map(({ body }) => phoneOf(body));

const idOf = (phone: unknown) => `ID of ${String(phone)}`;

const timeOfDay = (time: number) => new Date(time).toISOString().slice(11, 16);

/** The example with these contacts and with hours that begin at this time of the day. */
function outreachFrom(begin: number, contacts: { phone: string; timezone: string }[]) {
	const draft = structuredClone(OUTREACH);
	const named = contacts.map((contact) => ({ ...contact, id: idOf(contact.phone), name: 'Ada' }));
	const { parameters } = nodeOf(draft, 'Get Contacts from CRM');
	parameters.jsonOutput = JSON.stringify({ contacts: named });
	const { contactRules } = nodeOf(draft, 'Place Call').parameters;
	const allowedHours = `${timeOfDay(begin)}-${timeOfDay(begin + 12 * 60 * MINUTE_MS)}`;
	Object.assign(contactRules ?? {}, { allowedHours });
	return draft;
}

/** The hours have begun six hours ago where the first zone is, and begin at this moment in the second. */
const OPEN = 'Etc/GMT-6';
const NOT_YET = 'Etc/UTC';

describe('the example "Outreach"', () => {
	it('calls at the hours of each contact, and looks at the list again after the wait', async () => {
		const { client } = world();
		const list = await tables.create('Do not call', ['phone', 'reason']);
		const begin = Math.ceil((Date.now() + LONG_WAIT_MS) / MINUTE_MS) * MINUTE_MS;
		const draft = outreachFrom(begin, [
			{ phone: ADA, timezone: NOT_YET },
			{ phone: '+15550102009', timezone: OPEN },
			{ phone: KATHERINE, timezone: NOT_YET },
			{ phone: GRACE, timezone: OPEN },
			{ phone: '12', timezone: OPEN },
		]);
		await list.insert({ phone: '+15550102009', reason: 'asked for it' });
		const { id } = await client.createWorkflow(draft);
		const executionId = await client.start(id, 'Start');
		const waiting = await eventually('the wait', async () => {
			const execution = await client.execution(executionId);
			return execution.status === 'waiting' ? execution : undefined;
		});

		expect(called()).toEqual([GRACE]);
		expect(Date.parse(String(waiting.data.waitTill))).toBe(begin);
		expect(await resultsOf()).toEqual([
			['+15550102009', 'doNotContact'],
			[GRACE, 'placed'],
			['12', 'failed'],
		]);

		await list.insert({ phone: KATHERINE, reason: 'asked for it meanwhile' });
		await sleep(begin - Date.now());
		const execution = await client.finished(executionId);

		expect(execution.status).toBe('success');
		expect(called()).toEqual([GRACE, ADA]);
		expect((await resultsOf()).slice(3).sort()).toEqual([
			[ADA, 'placed'],
			[KATHERINE, 'doNotContact'],
		]);
	});

	it('calls a number that stands there twice once', async () => {
		const { client } = world();
		const contact = { phone: ADA, timezone: OPEN };
		const { id } = await client.createWorkflow(outreachFrom(Date.now(), [contact, contact]));
		const execution = await client.run(id, 'Start');

		expect(execution.status).toBe('success');
		expect(called()).toEqual([ADA]);
		expect((await resultsOf()).map(([, result]) => result).sort()).toEqual([
			'contactedRecently',
			'placed',
		]);
	});

	it('says of whom it may have called that this is unknown', async () => {
		const { client, simulator } = world();
		simulator.addFault({ kind: 'resetAfter', when: ({ body }) => phoneOf(body) === ADA });
		const contacts = [ADA, GRACE].map((phone) => ({ phone, timezone: OPEN }));
		const { id } = await client.createWorkflow(outreachFrom(Date.now(), contacts));
		const execution = await client.run(id, 'Start');

		expect(execution.status).toBe('success');
		expect(await resultsOf()).toEqual([
			[ADA, 'unknown'],
			[GRACE, 'placed'],
		]);
	});

	it.each([
		{ name: 'Call results', columns: RESULT_COLUMNS.slice(1) },
		{ name: 'Do not call', columns: ['number'] },
	])('calls nobody when "$name" lacks a column', async ({ name, columns }) => {
		const { client } = world();
		await tables.create(name, columns);
		const { id } = await client.createWorkflow(
			outreachFrom(Date.now(), [{ phone: ADA, timezone: OPEN }]),
		);
		const execution = await client.run(id, 'Start');

		expect(execution.status).toBe('error');
		expect(called()).toEqual([]);
	});
});

describe('the example "Opt-out"', () => {
	it('keeps from the next outreach whoever has said so in a call', async () => {
		const { client, simulator, secret } = world();
		const optOut = await client.createWorkflow(OPT_OUT);
		const path = webhookPath(nodeOf(optOut, 'Call Ended'));
		await client.activate(optOut);
		await client.waitForWebhook(path);
		simulator.setWebhooks([
			{ url: `${client.baseUrl}${path}`, headers: { [WEBHOOK_HEADER]: secret } },
		]);
		const contacts = [ADA, GRACE].map((phone) => ({ phone, timezone: OPEN }));
		const draft = outreachFrom(Date.now(), contacts);
		const before = await client.lastExecutionId();
		const first = await client.run((await client.createWorkflow(draft)).id, 'Start');
		const [ada, grace] = itemsOf(first, 'Place Call').map(({ callId }) => callId as string);
		await simulator.endCall(ada ?? '', { optOut: 'Yes' });
		await simulator.endCall(grace ?? '', { optOut: 'no' });
		const ended = await client.finishedAfter(before, optOut.id, 2);

		expect(ended.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(await (await tableOf('Do not call')).rows()).toMatchObject([{ phone: ADA }]);

		// Another workflow: nobody is remembered as contacted.
		await client.run((await client.createWorkflow(draft)).id, 'Start');

		expect(called()).toEqual([ADA, GRACE, GRACE]);
		expect((await resultsOf()).slice(2)).toEqual(expect.arrayContaining([[ADA, 'doNotContact']]));
	});
});
