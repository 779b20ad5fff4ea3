import { OPERATION_ROWS, rowOf } from '../operations';
import { withNewIds } from '../operations/expected';
import { pathOf } from '../operations/row';
import { runForAgent } from './agentTool';
import { useBookWorld } from './contactBook';
import { ada, bob } from './contacts';
import { credentialFor, placeCall } from './world';

const { simulator, calls, rows, reached } = useBookWorld();

const parametersOf = (path: string) => {
	const { resource, operation, parameters } = rowOf(path);
	return { resource, operation, ...parameters };
};

/** The model says who to call. */
const CALL = { ...placeCall, toNumber: "={{ $fromAI('to', 'who to call', 'string') }}" };

test.each(OPERATION_ROWS.filter(({ waits }) => !waits))(
	'$resource $operation works, and is sent each time it is used',
	async (row) => {
		const run = async () =>
			await runForAgent(parametersOf(pathOf(row)), credentialFor(simulator()));

		expect(await run()).toEqual(row.output.map(withNewIds));
		await run();
		expect(simulator().requests).toMatchObject([{ path: row.path }, { path: row.path }]);
	},
);

test('Place and Wait sends nothing', async () => {
	const { credential } = calls([]);
	const run = runForAgent(parametersOf('call.placeAndWait'), credential);

	await expect(run).rejects.toThrow(/^Nothing was sent: .*"Place and Wait".* Report this\.$/);
	expect(simulator().requests).toEqual([]);
	expect(rows()).toEqual([]);
});

test('a rule of contact holds back who was called, or may have been, and nobody else', async () => {
	const { credential } = calls([]);
	const parameters = { ...CALL, contactRules: { notAgainWithin: 24 } };
	const call = async (json: typeof ada) => await runForAgent(parameters, credential, json);
	simulator().addFault({ kind: 'resetAfter', toNumber: bob.to, times: 1 });

	const output = [await call(ada), await call(bob), await call(ada), await call(bob)].flat();

	expect(output).toMatchObject([
		{ result: 'placed' },
		{ error: expect.stringMatching(/Do not repeat this tool call/) as unknown },
		{ result: 'heldBack', reason: 'contactedRecently' },
		{ result: 'heldBack', reason: 'contactedRecently' },
	]);
	expect(reached()).toEqual({ [ada.to]: 1, [bob.to]: 1 });
	const own = { workflow: '', execution: '', mode: 'live' };
	expect(rows()).toMatchObject([
		{ ...own, phone: ada.to, outcome: 'accepted' },
		{ ...own, phone: bob.to, outcome: 'unknown' },
	]);
});
