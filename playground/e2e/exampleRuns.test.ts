import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { answerWith, startOtherServer } from '../../test/otherServer';
import type { EndpointName } from '../../test/simulator/endpoints';
import type { Fault } from '../../test/simulator/simulator';
import { itemsOf } from '../executions';
import { useExampleBook } from './contactBook';
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
	texts,
} from './exampleWorkflows';
import { useOpened, useWorld } from './world';

/** An example that is run once. */
interface Run {
	file: string;
	/** What it is proven to do. */
	does: string;
	/** The trigger that it is run from; "Start" unless said otherwise. */
	from?: string;
	/** Parameters that some nodes have instead of their own. */
	changes?: () => Record<string, INodeParameters>;
	faults?: Fault[];
	prepare?: () => Promise<void> | void;
	/** The beginning of the error with which it fails; it succeeds unless said otherwise. */
	error?: string;
	/** What some nodes put out, whatever the output. */
	puts?: Record<string, object[]>;
	/** The bodies of the requests on which the service has acted. */
	sends?: [endpoint: EndpointName, bodies: object[]][];
}

const ANY_TEXT = expect.stringMatching(/./) as unknown;
const ON_THIS_MACHINE = expect.stringContaining('http://127.0.0.1:') as unknown;
const TWO_CALLS_FAIL: Fault[] = [
	{ kind: 'status', status: 400, when: isTo(GRACE) },
	{ kind: 'resetAfter', when: isTo(KATHERINE) },
];
const NOT_AGAIN_SOON = { 'Place Call': { contactRules: { notAgainWithin: 1 } } };
const SHORT_WAIT = { 'Wait for Replies': { amount: 1, unit: 'seconds' } };
const CAMPAIGN = { name: 'Spring', description: 'Reminders' };

const world = useWorld();
const sheet = useOpened(() => startOtherServer(answerWith(200, 'phone\n+15550102001\n')));

const campaign = () => ({ 'Set Campaign': texts({ ...CAMPAIGN, sheetUrl: sheet().baseUrl }) });

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const FIVE_HOURS_AGO = hoursAgo(5);
const SIX_DAYS_AGO = hoursAgo(6 * 24);

/** The examples share it. */
const book = useExampleBook(world);

/** Fills the book with these rows. */
async function fillBook(rows: readonly IDataObject[]): Promise<void> {
	for (const row of rows) await book().insert(row);
}

/** Some of them have no end. */
async function addCalls(): Promise<void> {
	const call = { phone: ADA, operation: 'call.place', outcome: 'accepted' };
	await fillBook([
		{ ...call, contactId: 'first', contactedAt: FIVE_HOURS_AGO, reference: 'C-1001' },
		{ ...call, contactId: 'second', contactedAt: SIX_DAYS_AGO, operation: 'call.placeAndWait' },
		{ ...call, contactId: 'too new', contactedAt: hoursAgo(3) },
		{ ...call, contactId: 'too old', contactedAt: hoursAgo(8 * 24) },
		{ ...call, contactId: 'ended', contactedAt: FIVE_HOURS_AGO, endedAt: hoursAgo(4) },
		{ ...call, contactId: 'not made', contactedAt: FIVE_HOURS_AGO, outcome: 'notMade' },
		{ ...call, contactId: 'message', contactedAt: FIVE_HOURS_AGO, operation: 'sms.start' },
		{ phone: ADA, doNotContact: true },
	]);
}

/** Of two executions; one of the people has opted out meanwhile. */
async function addOpenRows(): Promise<void> {
	const row = { phone: ADA, execution: '7', reference: 'C-1001' };
	await fillBook([
		{ ...row, outcome: 'claimed', doNotContact: true },
		{ ...row, outcome: 'unknown' },
		{ ...row, outcome: 'accepted' },
		{ ...row, outcome: 'claimed', execution: '8' },
	]);
}

const RUNS: Run[] = [
	{
		file: 'call-a-list-and-report.json',
		does: 'reports in one message what came of each call',
		changes: () => ({
			'Place and Wait': { contactRules: { doNotContact: GRACE }, waitAtMost: 0.001 },
		}),
		puts: {
			Report: [
				{
					report: [
						`${ADA}: no end of the call is known`,
						`${GRACE}: not called: doNotContact`,
						`${KATHERINE}: no end of the call is known`,
					].join('\n'),
				},
			],
		},
	},
	{
		file: 'failed-calls.json',
		does: 'saves the calls that failed, and says whether they may have been placed',
		faults: TWO_CALLS_FAIL,
		puts: {
			'Continue with Placed Calls': [{ toNumber: ADA }],
			'Save for Review': [
				{ id: 1, phone: GRACE, name: 'Grace', called: 'no', executionId: ANY_TEXT },
				{ id: 2, phone: KATHERINE, name: 'Katherine', called: 'unknown' },
			],
		},
	},
	{
		file: 'calls-without-end.json',
		does: 'reports the calls of the last days of which no end was heard',
		from: 'Every Morning',
		prepare: addCalls,
		puts: {
			'Write Report': [
				{
					calls: 2,
					report: `${FIVE_HOURS_AGO} ${ADA} C-1001 first\n${SIX_DAYS_AGO} ${ADA} second`,
				},
			],
		},
	},
	{
		file: 'settle-contacts.json',
		does: 'sets the open rows of an execution to "notMade", and changes nothing else of them',
		changes: () => ({ 'Which Rows': texts({ execution: '7', table: 'Contact book' }) }),
		prepare: addOpenRows,
		puts: {
			'Settle Claimed': [{ outcome: 'notMade', doNotContact: true, reference: 'C-1001' }],
			'Settle Unknown': [{ outcome: 'notMade', doNotContact: null, execution: '7' }],
		},
	},
	{
		file: 'settle-contacts.json',
		does: 'changes nothing as long as no execution is entered',
		prepare: addOpenRows,
		puts: { 'Settle Claimed': [], 'Settle Unknown': [] },
	},
	{
		file: 'template-then-follow-up.json',
		does: 'follows up with a message in the open window, and with a template otherwise',
		changes: () => SHORT_WAIT,
		prepare: () => {
			world().simulator.customerReplies(ADA);
		},
		puts: {
			'Send Follow-Up': [
				{ toNumber: ADA, result: 'sent', sentAs: 'message' },
				{ toNumber: GRACE, result: 'sent', sentAs: 'template' },
			],
		},
		sends: [
			['startMsgapp', [{ toNumber: ADA }, { toNumber: GRACE }]],
			['continueMsgapp', [{ toNumber: ADA, attributes: { firstName: 'Ada' } }]],
		],
	},
	{
		file: 'template-then-follow-up.json',
		does: 'sends no follow-up after a template that may not have arrived',
		changes: () => SHORT_WAIT,
		faults: [{ endpoint: 'startMsgapp', kind: 'resetAfter', when: isTo(GRACE) }],
		puts: {
			'Review Failures': [{ details: { toNumber: GRACE, outcome: 'unknown' } }],
			'Send Follow-Up': [{ toNumber: ADA }],
		},
	},
	{
		file: 'bulk-campaign.json',
		does: 'gives the link of the sheet to the service',
		changes: campaign,
		puts: { 'Create Campaign': [{ message: ANY_TEXT }] },
		sends: [['createBulkCampaign', [{ ...CAMPAIGN, sheetURL: ON_THIS_MACHINE }]]],
	},
	{
		file: 'bulk-campaign.json',
		does: 'says that nobody was contacted if the service refuses',
		changes: campaign,
		faults: [{ endpoint: 'createBulkCampaign', kind: 'status', status: 402 }],
		error: 'Nobody was contacted: ',
	},
	{
		file: 'bulk-campaign.json',
		does: 'says that the campaign may have been created if the answer is lost',
		changes: campaign,
		faults: [{ endpoint: 'createBulkCampaign', kind: 'resetAfter' }],
		error: 'The campaign "Spring" may have been created: ',
	},
];

it.each(RUNS)(
	'the example $file $does',
	async ({ file, from, changes, faults = [], prepare, error = '', puts = {}, sends = [] }) => {
		const { client, simulator } = world();
		for (const fault of faults) simulator.addFault(fault);
		await prepare?.();
		const execution = await runExample(client, file, changes?.(), from);

		expect(execution.status).toBe(error === '' ? 'success' : 'error');
		expect(execution.data.resultData.error?.message ?? '').toContain(error);
		const put = Object.keys(puts).map((name) => [name, itemsOf(execution, name)]);
		expect(Object.fromEntries(put)).toMatchObject(puts);
		for (const [endpoint, bodies] of sends) {
			expect(simulator.processed(endpoint).map(({ body }) => body)).toMatchObject(bodies);
		}
	},
);

it('the example "Phone somebody" tells the other workflow what became of each call', async () => {
	const { client, simulator } = world();
	for (const fault of TWO_CALLS_FAIL) simulator.addFault(fault);
	const workflow = await client.createWorkflow(exampleWith('phone-somebody.json', NOT_AGAIN_SOON));
	await client.activate(workflow);
	const asked = [ADA, GRACE, KATHERINE, '12', ADA].map((phone) => ({
		...{ phone, name: 'Ada', topic: 'Your visit' },
	}));
	const results = itemsOf(await runAsSubWorkflow(client, workflow, asked), SUB_WORKFLOW);

	expect(called(world())).toEqual([ADA, KATHERINE]);
	expect(simulator.processed('placeCall')[0]?.body).toMatchObject({
		attributes: { customField1: 'Ada', customField2: 'Your visit' },
	});
	expect(results).toMatchObject([
		{ toNumber: ADA, result: 'placed', callId: ANY_TEXT },
		{ details: { toNumber: GRACE, outcome: 'refused' } },
		{ details: { toNumber: KATHERINE, outcome: 'unknown' } },
		{ details: { toNumber: '12', outcome: 'notSent' } },
		{ toNumber: ADA, result: 'heldBack', reason: 'contactedRecently' },
	]);
	expect(results.filter(({ result }) => result === undefined)).toHaveLength(3);
});
