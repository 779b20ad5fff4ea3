import { TABLE, useContactBook } from './contactBook';
import { ada, bob, CONTINUE, eve } from './contacts';
import { runFromStart, runNode, type NodeSetup } from './engine';
import { startProcess } from './virtualWorld';
import { callsByRecipient, credentialFor } from './world';

const { simulator, store, tables, calls, outputs } = useContactBook();

async function hintsOf(setup: NodeSetup): Promise<string> {
	const { run } = await runNode(setup);
	const hints = run.data.resultData.runData['Assistant Service']?.[0]?.hints ?? [];
	return hints.map(({ message }) => message).join(' ');
}

const checkOnly = () => ({ credential: { ...credentialFor(simulator()), mode: 'checkOnly' } });

describe('a node that has sent with the book, which is off', () => {
	const without = (more: Partial<NodeSetup> = {}): NodeSetup => {
		const parameters = { ...calls([ada]).parameters, useContactBook: false };
		return calls([bob], {}, { parameters, ...more });
	};

	test.each(['live', 'checkOnly'])('%s: goes on in this process, and says so', async (mode) => {
		const more = mode === 'live' ? {} : checkOnly();
		expect(await hintsOf(without(more))).not.toContain('contact book');
		for (const person of [ada, eve]) await runNode(calls([person]));

		const said = 'which is off now: it knows only';
		expect(await hintsOf(without(more))).toContain(said);
		expect(await hintsOf(without(more))).toContain(said);
		expect(callsByRecipient(simulator())[bob.to]).toBe(mode === 'live' ? 3 : undefined);
	});

	test('sends nothing any more after a restart, until the book is on', async () => {
		await runNode(calls([ada]));
		const type = startProcess();
		const refused = async (more: Partial<NodeSetup> = {}) => {
			const { error } = await runNode(without({ type, ...more }));
			expect(error).toMatchObject({
				message: expect.stringContaining('which is off now') as unknown,
				context: { details: { kind: 'stopped', outcome: 'notSent' } },
			});
		};

		await refused();
		await refused(checkOnly());
		const next = startProcess();
		expect(await outputs(calls([eve], {}, { type: next }))).toMatchObject([{ result: 'placed' }]);
		await refused({ type: next });

		expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 1, [eve.to]: 1 });
	});

	test('is remembered for as long as it is used, whatever n8n forgets', async () => {
		store().isBroken = true;
		await runNode(calls([ada]));
		store().isBroken = false;
		await runNode(calls([ada]));
		expect((await runNode(without({ type: startProcess() }))).error?.message).toContain('off now');

		await store().clearAllProcessedItems();
		await runNode(calls([eve]));
		expect(await outputs(without({ type: startProcess() }))).toMatchObject([{ result: 'placed' }]);

		const now = performance.now.bind(performance);
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 86_400_000);
		await runNode(calls([eve]));
		clock.mockRestore();

		expect((await runNode(without({ type: startProcess() }))).error?.message).toContain('off now');
	});

	test.each([
		['its table is another one', { table: 'aB3dE5fG7hJ9kL1m' }],
		['n8n cannot be reached', { baseUrl: 'http://127.0.0.1:1' }],
	])('is one that could send, not one of which %s', async (_, wrong) => {
		const { baseUrl, apiKey } = tables();
		const book = { baseUrl, apiKey, table: TABLE, ...wrong };
		expect((await runNode(calls([ada], {}, { book }))).error?.message).toContain('Not sent.');

		expect(await outputs(without({ type: startProcess() }))).toMatchObject([{ result: 'placed' }]);
	});

	test('still redirects', async () => {
		const redirect = { mode: 'redirect', testNumber: eve.to };
		const credential = { ...credentialFor(simulator()), ...redirect };
		await runNode(calls([ada]));

		const output = await outputs(without({ type: startProcess(), credential }));

		expect(output).toMatchObject([{ result: 'placed', redirectedTo: eve.to }]);
	});

	test('but one that only redirected with it sends', async () => {
		const redirect = { mode: 'redirect', testNumber: eve.to };
		await runNode(calls([ada], {}, { credential: { ...credentialFor(simulator()), ...redirect } }));

		const output = await outputs(without({ type: startProcess() }));

		expect(output).toMatchObject([{ result: 'placed' }]);
	});

	test('is no other node, nor one that asks whether it has, though nothing of that is taken back', async () => {
		await runNode(calls([ada], {}, { nodeId: 'another' }));
		const send = async (type: string) => (await outputs(without({ type })))[0]?.result;
		const removing = jest.spyOn(store(), 'removeProcessed').mockResolvedValue();
		// Each asks for the same marks first.
		const chance = jest.spyOn(Math, 'random').mockReturnValue(0.5);
		const sent: unknown[] = [];
		for (let process = 0; process < 5; process++) {
			const type = startProcess();
			sent.push(...(await Promise.all([type, type].map(send))));
		}
		chance.mockRestore();
		removing.mockRestore();

		expect(sent).toEqual(Array(10).fill('placed'));
	});

	test('is seen by another process that has asked before, after ten minutes', async () => {
		const type = startProcess();
		expect(await outputs(without({ type }))).toMatchObject([{ result: 'placed' }]);
		await runNode(calls([ada], {}, { type: startProcess() }));

		const now = performance.now.bind(performance);
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 600_000);
		const { error } = await runNode(without({ type }));
		clock.mockRestore();

		expect(error?.message).toContain('off now');
	});

	test('is one also if a run without the book asks at the same moment', async () => {
		const type = startProcess();
		let begun: Promise<unknown> = Promise.resolve();
		// It waits for this removal.
		const adding = jest.spyOn(store(), 'removeProcessed').mockImplementationOnce(async () => {
			begun = runNode(calls([ada], {}, { type }));
			await Promise.resolve();
		});

		await runNode(without({ type }));
		await begun;
		adding.mockRestore();

		expect(await hintsOf(without({ type }))).toContain('off now');
		expect((await runNode(without({ type: startProcess() }))).error?.message).toContain('off now');
	});

	test('is refused also if n8n cannot tell whether an earlier process has used it', async () => {
		await runNode(calls([ada]));
		const type = startProcess();
		store().isBroken = true;
		await runNode(calls([eve], {}, { type }));
		store().isBroken = false;

		expect((await runNode(without({ type }))).error?.message).toContain('off now');
	});

	test('says in a retry which item was sent', async () => {
		const { fromNumber } = calls([ada]).parameters;
		const items = [
			{ ...ada, from: 'x' },
			{ ...ada, from: fromNumber },
		];
		const tryOf = async (useContactBook: boolean, more: Partial<NodeSetup>) => {
			const parameters = {
				...calls([ada]).parameters,
				fromNumber: '={{ $json.from }}',
				useContactBook,
			};
			const setup = calls(items, {}, { ...CONTINUE, ...more, parameters });
			return (await runFromStart(setup, 'off in a retry')).items.map(({ json }) => json);
		};
		await tryOf(true, { mode: 'trigger' });

		const retried = await tryOf(false, { mode: 'retry', type: startProcess() });

		expect(retried).toMatchObject([
			{ details: { outcome: 'notSent' } },
			{ details: { outcome: 'unknown' } },
		]);
	});
});
