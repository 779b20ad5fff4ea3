import { getEventListeners } from 'events';
import type { IDataObject } from 'n8n-workflow';

import { OPERATION_ROWS } from '../operations';
import { ASSISTANT_ID, FROM_NUMBER, TO_NUMBER } from '../simulator/seed';
import { ada, bob, CONTINUE, useContacts } from './contacts';
import { runNode } from './engine';

const { simulator, calls, outputs, reached } = useContacts();

const TEST_NUMBER = '+4930999999';

describe('a credential that only checks', () => {
	const check = { credential: { mode: 'checkOnly' } };

	test('sends nothing and shows the request', async () => {
		const output = await outputs(calls([ada, { to: 'nobody' }], {}, { ...CONTINUE, ...check }));

		const { workspaceId } = simulator();
		expect(output).toEqual([
			{
				toNumber: ada.to,
				result: 'checked',
				reason: null,
				request: {
					method: 'POST',
					path: `/v1/voice/placeoutboundcall/${workspaceId}/${ASSISTANT_ID}`,
					body: { fromNumber: FROM_NUMBER, toNumber: ada.to, priority: 1 },
				},
			},
			expect.objectContaining({
				details: expect.objectContaining({ kind: 'invalidInput' }) as object,
			}),
		]);
		expect(simulator().requests).toEqual([]);
	});

	test.each(OPERATION_ROWS.filter(({ waits }) => !waits))(
		'$resource $operation ($method): sends what only reads',
		async ({ method, resource, operation, parameters }) => {
			const entered = { resource, operation, ...parameters };

			await runNode({ ...calls([{}], {}, check), parameters: entered });

			expect(simulator().requests).toHaveLength(method === 'GET' ? 1 : 0);
		},
	);

	test('shows the zones of a number, if they come from it', async () => {
		const number = { to: '+12125551234' };
		const hours = { allowedHours: '00:00-00:00', timezoneFromNumber: true };

		const [json] = await outputs(calls([number], hours, check));

		expect(json).toMatchObject({ result: 'checked', timezones: ['America/New_York'] });
	});
});

test.each([true, false])(
	'a credential that redirects reaches the test number alone (simplify: %s)',
	async (simplify) => {
		const credential = { mode: 'redirect', testNumber: TEST_NUMBER };

		const output = await outputs(calls([ada, bob], {}, { credential }, { simplify }));

		expect(output).toMatchObject([{ redirectedTo: TEST_NUMBER }, { redirectedTo: TEST_NUMBER }]);
		expect(output.map(({ toNumber }) => toNumber)).toEqual(
			simplify ? [ada.to, bob.to] : [undefined, undefined],
		);
		expect(reached()).toEqual({ [TEST_NUMBER]: 2 });
	},
);

/** Node keeps a signal, and all that its listeners hold, for as long as it has one. */
test.each(['live', 'checkOnly'])('a run leaves no listener behind: %s', async (mode) => {
	const signals: AbortSignal[] = [];
	const any = AbortSignal.any.bind(AbortSignal);
	const spy = jest.spyOn(AbortSignal, 'any').mockImplementation((sources) => {
		const signal = any(sources);
		signals.push(signal);
		return signal;
	});

	await runNode(calls([ada, bob, ada], {}, { credential: { mode } }));
	spy.mockRestore();

	expect(signals.length).toBeGreaterThan(0);
	expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
});

const REFERENCE = { reference: '={{ $json.id }}' };
const [adaOfCrm = {}, bobOfCrm = {}] = [ada, bob].map(({ to }, index): IDataObject => ({
	to,
	id: `crm-${index}`,
}));

const OF_PEOPLE = OPERATION_ROWS.filter(
	({ output, waits }) => !waits && output.some((json) => 'reason' in json),
);

test.each(OF_PEOPLE)(
	'$resource $operation: the columns of the person come first, with the reference behind them',
	async ({ resource, operation, parameters, output }) => {
		const entered = { resource, operation, ...parameters, options: REFERENCE };

		const [json = {}] = await outputs({ ...calls([{ id: 4711 }]), parameters: entered });

		expect(Object.entries(json).slice(0, 4)).toEqual([
			['toNumber', output[0]?.toNumber],
			['result', output[0]?.result],
			['reason', null],
			['reference', '4711'],
		]);
	},
);

test('a failed item keeps its headline, though n8n takes a property for the name of a system error', async () => {
	const { error } = await runNode(calls([{ officeAccess: 'yes' }]));

	expect(error?.message).toBe('To Number is empty (row 1); the item has "officeAccess"');
});

test('a run that stops names the person the test number was called for', async () => {
	simulator().addFault({ kind: 'resetAfter', times: 1 });
	const credential = { mode: 'redirect', testNumber: TO_NUMBER };

	const { error } = await runNode(calls([adaOfCrm], {}, { credential }, REFERENCE));

	expect(error?.message).toMatch(/: \+15550001000 \(crm-0\)$/);
	expect(error?.description).toContain(
		`Calls and messages go to ${TO_NUMBER} instead: the credential "Test" redirects.<br>`,
	);
});

describe('a run that stops with unknown items', () => {
	test('names them with their references', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });
		const options = { ...REFERENCE, maxConcurrentRequests: 1 };

		const { error } = await runNode(calls([adaOfCrm, bobOfCrm], {}, {}, options));

		expect(error?.message).toMatch(/: \+15550001000 \(crm-0\)$/);
		expect(error?.description?.split('<br>').slice(0, 2)).toEqual([
			'Of 2 items: 1 not sent, 1 unknown.',
			'+15550001000 (crm-0) may have been called.',
		]);
		expect(error?.context.details).toMatchObject({ outcome: 'unknown', toNumber: ada.to });
	});

	test('is no cancelled run for n8n because of a reference', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });

		const { run } = await runNode(calls([{ ...ada, id: 'canceled-1' }], {}, {}, REFERENCE));

		expect(run.status).toBe('error');
	});

	test('says nothing of it to who only reads', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 9 });
		const parameters = { resource: 'assistant', operation: 'getPrompt', assistantId: 'x' };

		const { error } = await runNode({ ...calls([{}]), parameters });

		expect(error?.description).not.toContain('Do not run');
	});
});
