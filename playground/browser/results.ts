import type { INodeParameters } from 'n8n-workflow';
import { startSimulator, type Simulator } from '../../test/simulator/simulator';
import { phoneOf } from '../e2e/calls';
import { useOpened, type World } from '../e2e/world';
import { zoneAt } from '../e2e/zones';
import type { SavedWorkflow } from '../restTypes';
import { apiCredentialData } from '../setup';
import { CALL, CONTACTS, createForContacts, PLACE_CALL } from './contacts';
import { execute, openNode, outputPanel, see, showOutputAs, type InEditor } from './editor';

/** How many calls go on at a time; those after them are queued. */
const LINES = 2;

const contact = (row: number, phone = `+1555010${2000 + row}`, hour = 13) => ({
	id: `crm-${row}`,
	phone,
	timezone: zoneAt(hour),
});
const CONTACTED = contact(5);
const OPTED_OUT = contact(6);
const REFUSED = contact(9);
const LOST = contact(10);
const LIST = [
	...[1, 2, 3, 4].map((row) => contact(row)),
	CONTACTED,
	OPTED_OUT,
	contact(7, undefined, 23),
	contact(8, '030 1234567'),
	REFUSED,
	LOST,
];

const CALL_ALL: INodeParameters = {
	...CALL,
	customFields: {},
	contactRules: {
		allowedHours: '09:00-18:00',
		timezone: '={{ $json.timezone }}',
		doNotContact: OPTED_OUT.phone,
		notAgainWithin: 24,
	},
	// One after the other, so that it is the last ones that are queued.
	options: { reference: '={{ $json.id }}', maxConcurrentRequests: 1 },
};

const SUMMARY =
	'Of 10 items: 2 placed, 2 queued, 3 held back (1 do not contact, 1 contacted recently, 1 outside hours), 1 refused, 1 not sent, 1 unknown.';
const HEADERS = 'toNumber, result, reason, reference, callId, msg, notBefore, error, details'.split(
	', ',
);
/** The first four cells of those that did not fail; n8n writes `null` and `undefined` out. */
const REACHED_OR_HELD_BACK = [
	['+15550102001', 'placed', 'null', 'crm-1'],
	['+15550102002', 'placed', 'null', 'crm-2'],
	['+15550102003', 'queued', 'null', 'crm-3'],
	['+15550102004', 'queued', 'null', 'crm-4'],
	['+15550102005', 'heldBack', 'contactedRecently', 'crm-5'],
	['+15550102006', 'heldBack', 'doNotContact', 'crm-6'],
	['+15550102007', 'heldBack', 'outsideHours', 'crm-7'],
];
/** The error of those that failed, and what the details say. */
const FAILED = [
	['To Number: "030 1234567" has no country code (row 8)', 'notSent', '030 1234567', 'crm-8'],
	['The service rejected the values of this item', 'refused', '+15550102009', 'crm-9'],
	[
		'The connection to the service broke before its answer came',
		'unknown',
		'+15550102010',
		'crm-10',
	],
];

/** Ten contacts, one of whom has been called today, for a service that refuses one and loses its answer to another. */
async function createForEveryResult(world: World, service: Simulator): Promise<SavedWorkflow> {
	const credential = await world.client.saveCredential(
		'assistantServiceApi',
		`Assistant Service - ${LINES} Lines`,
		apiCredentialData(service),
	);
	const workflow = await createForContacts(world, PLACE_CALL, CALL_ALL, [CONTACTED], {
		credentials: { assistantServiceApi: credential },
		onError: 'continueRegularOutput',
	});
	await world.client.run(workflow.id, CONTACTS);
	service.reset();
	const isFor =
		({ phone }: { phone: string }) =>
		({ body }: { body: unknown }) =>
			phoneOf(body) === phone;
	service.addFault({ kind: 'status', status: 400, when: isFor(REFUSED) });
	service.addFault({ kind: 'resetAfter', when: isFor(LOST) });
	const pinData = { [CONTACTS]: LIST.map((json) => ({ json })) };
	return await world.client.updateWorkflow(workflow.id, { pinData });
}

/** A run with a result of every kind. */
export function describeResults(world: () => World, inEditor: InEditor): void {
	const service = useOpened(
		async () => await startSimulator({ concurrentCallLimit: LINES }),
		async (simulator: Simulator) => simulator.stop(),
	);

	inEditor('a table says who was reached, who was not, and why', async (page) => {
		const workflow = await createForEveryResult(world(), service());
		// The output gets two fifths of it.
		await page.setViewportSize({ width: 2760, height: 1000 });
		await openNode(page, workflow, PLACE_CALL);
		await execute(page);
		await showOutputAs(page, 'Table');
		const output = outputPanel(page);
		const headers = output.locator('thead th');
		await see(output.getByText(SUMMARY), headers);

		const rows = await output.locator('tbody tr').all();
		const cells = await Promise.all(
			rows.map(async (row) => await row.locator('td').allInnerTexts()),
		);
		const last = REACHED_OR_HELD_BACK.length;
		// The last one is empty: n8n's margin.
		expect(await headers.allInnerTexts()).toEqual([...HEADERS, '']);
		expect(cells.slice(0, last).map((row) => row.slice(0, 4))).toEqual(REACHED_OR_HELD_BACK);
		expect(cells.slice(last).map((row) => row.slice(-3, -1))).toEqual(
			FAILED.map(([error, outcome = '', toNumber = '', reference = '']) => [
				error,
				expect.stringMatching(
					RegExp(
						`^toNumber:${toNumber.replace('+', '\\+')}\nreference:${reference}\nkind:\\w+\noutcome:${outcome}\n`,
					),
				) as unknown,
			]),
		);
	});
}
