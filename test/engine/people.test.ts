import type { IDataObject } from 'n8n-workflow';

import { OPERATION_ROWS } from '../operations';
import { TO_NUMBER } from '../simulator/seed';
import { ada, bob, useContacts } from './contacts';
import { runNode } from './engine';
import { credentialFor } from './world';

const { simulator, calls, outputs } = useContacts();

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
	const credential = { ...credentialFor(simulator()), mode: 'redirect', testNumber: TO_NUMBER };

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

	test('keeps its headline, though n8n takes a reference for the name of a system error', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });

		const { error } = await runNode(calls([{ ...ada, id: 'OfficeAccess' }], {}, {}, REFERENCE));

		expect(error?.message).toMatch(/: \+15550001000 \(OfficeAccess\)$/);
		expect(error?.description).toContain('Do not run the workflow again with all rows.');
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
