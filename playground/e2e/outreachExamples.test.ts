import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually';
import { post } from '../post';
import type { SavedExecution, WorkflowDraft } from '../restTypes';
import { EXAMPLES_ASK_FOR, readExample, saveCheckOnlyCredential } from '../setup';
import { createActive, nodeOf } from '../workflows';
import { textOf, useExampleBook } from './contactBook';
import { ADA, called, GRACE, isTo, KATHERINE } from './exampleWorkflows';
import { START, useWorld } from './world';

const MINUTE_MS = 60_000;
/** n8n keeps waits of less than 65 seconds in its memory; this one is to come from its database on a busy machine, too. */
const LONG_WAIT_MS = 80_000;

/** The hours have begun six hours ago where the first zone is, and begin at the given moment in the second. */
const OPEN = 'Etc/GMT-6';
const NOT_YET = 'Etc/UTC';

type Contact = readonly [phone: string, timezone: string];
const withZone = (timezone: string, ...phones: string[]) =>
	phones.map((phone): Contact => [phone, timezone]);

const world = useWorld();
const book = useExampleBook(world);

const idOf = (phone: unknown) => `ID of ${String(phone)}`;

/** Who came to the CRM with which result, in this order. Of a contact whose ID is not there, nothing is known. */
const resultsOf = ({ data }: SavedExecution) =>
	(data.resultData.runData['Save Result in CRM'] ?? [])
		.flatMap(({ data: output }) => output?.main?.flat() ?? [])
		.map((item) => item?.json ?? {})
		.map(({ phone, id, result }) =>
			[id === idOf(phone) ? textOf(phone) : 'nobody', textOf(result)].join(' '),
		);

const timeOfDay = (time: number) => new Date(time).toISOString().slice(11, 16);

/** The example with these contacts and with hours that begin at this time of the day. */
function outreachFrom(begin: number, contacts: readonly Contact[], credential?: string) {
	const draft = readExample('outreach.json', credential);
	const all = contacts.map(([phone, timezone]) => ({
		...{ phone, timezone, id: idOf(phone), name: 'Ada' },
	}));
	const { parameters } = nodeOf(draft, 'Get Contacts from CRM');
	parameters.jsonOutput = JSON.stringify({ contacts: all });
	const { contactRules } = nodeOf(draft, 'Place Call').parameters;
	const allowedHours = `${timeOfDay(begin)}-${timeOfDay(begin + 12 * 60 * MINUTE_MS)}`;
	Object.assign(contactRules ?? {}, { allowedHours });
	return draft;
}

/** Starts the example by a webhook, as a schedule does: by hand it does not wait. @returns the ID of the execution */
async function startByTrigger(draft: WorkflowDraft): Promise<string> {
	const { client } = world();
	const path = randomUUID();
	Object.assign(nodeOf(draft, START), {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { httpMethod: 'POST', path },
	});
	const workflow = await createActive(client, draft, () => `/webhook/${path}`);
	await post(`${client.baseUrl}/webhook/${path}`, {});
	return await eventually('the execution', async () => {
		const [execution] = await client.executions(workflow.id);
		return execution?.id;
	});
}

const startByHand = async (draft: WorkflowDraft): Promise<string> =>
	await world().client.start((await world().client.createWorkflow(draft)).id, START);

describe('the example "Outreach"', () => {
	it('calls at the hours of each contact, and asks the book again after the wait', async () => {
		const { client, simulator } = world();
		simulator.addFault({ kind: 'status', status: 400, when: isTo(GRACE) });
		const begin = Math.ceil((Date.now() + LONG_WAIT_MS) / MINUTE_MS) * MINUTE_MS;
		const contacts = [...withZone(NOT_YET, ADA, KATHERINE), ...withZone(OPEN, GRACE, '12')];
		const executionId = await startByTrigger(outreachFrom(begin, contacts));
		const waiting = await eventually('the wait', async () => {
			const execution = await client.execution(executionId);
			return execution.status === 'waiting' ? execution : undefined;
		});

		expect(called(world())).toEqual([]);
		expect(Date.parse(String(waiting.data.waitTill))).toBe(begin);
		expect(resultsOf(waiting)).toEqual([`${GRACE} failed`, '12 failed']);

		await book().insert({ phone: KATHERINE, doNotContact: true });
		await sleep(begin - Date.now());
		const execution = await client.finished(executionId);

		expect(execution.status).toBe('success');
		expect(called(world())).toEqual([ADA]);
		const afterWait = resultsOf(execution).slice(2).sort();
		expect(afterWait).toEqual([`${ADA} placed`, `${KATHERINE} doNotContact`]);
	});

	it.each<{
		does: string;
		start: typeof startByHand;
		credential?: string;
		contacts: Contact[];
		results: string[];
		reached?: string[];
		error?: string;
	}>([
		{
			does: 'in the mode Check Only, waits for nobody, also if a trigger starts it',
			start: startByTrigger,
			credential: EXAMPLES_ASK_FOR,
			contacts: [...withZone(OPEN, ADA), ...withZone(NOT_YET, KATHERINE)],
			results: [`${ADA} checked`, `${KATHERINE} outsideHours`],
		},
		{
			does: 'fails, with the reason, if nobody could be called and nobody waits',
			start: startByHand,
			contacts: withZone(OPEN, '12'),
			results: ['12 failed'],
			error: 'No contact could be called. The first one: To Number: "12" ',
		},
		{
			does: 'by hand, does not wait, and says of each contact what is known',
			start: startByHand,
			contacts: [...withZone(OPEN, ADA, ADA, GRACE), ...withZone(NOT_YET, KATHERINE)],
			results: [
				...[`${ADA} contactedRecently`, `${ADA} placed`],
				...[`${GRACE} unknown`, `${KATHERINE} outsideHours`],
			],
			reached: [ADA, GRACE],
		},
	])('$does', async ({ start, credential, contacts, results, reached = [], error = '' }) => {
		const { client, simulator } = world();
		await saveCheckOnlyCredential(client, simulator);
		simulator.addFault({ kind: 'resetAfter', when: isTo(GRACE) });
		const draft = outreachFrom(Date.now() + 2 * LONG_WAIT_MS, contacts, credential);
		const execution = await client.finished(await start(draft));

		expect(execution.status).toBe(error === '' ? 'success' : 'error');
		expect(execution.data.resultData.error?.message ?? '').toMatch(error);
		expect(resultsOf(execution).sort()).toEqual(results);
		expect(called(world()).sort()).toEqual(reached);
	});
});
