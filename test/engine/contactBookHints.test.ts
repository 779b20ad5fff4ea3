import { past, TABLE, useContactBook } from './contactBook';
import { ada, bob, CONTINUE, eve } from './contacts';
import { runNode, type NodeSetup } from './engine';
import { startProcess } from './virtualWorld';
import { callsByRecipient, credentialFor } from './world';

const { simulator, store, tables, calls, outputs, prepare, add } = useContactBook();

async function hintsOf(setup: NodeSetup): Promise<string> {
	const { run } = await runNode(setup);
	const hints = run.data.resultData.runData['Assistant Service']?.[0]?.hints ?? [];
	return hints.map(({ message }) => message).join(' ');
}

const checkOnly = () => ({ credential: { ...credentialFor(simulator()), mode: 'checkOnly' } });

describe('the output panel says', () => {
	test('that without a rule the book limits nothing', async () => {
		expect(await hintsOf(calls([ada]))).toContain('the contact book only writes down contacts');
		expect(await hintsOf(calls([bob], { notAgainWithin: 24 }))).toBe('');
	});

	test('in Check Only, that the book has no contacts yet, and no more once it has some', async () => {
		const checked = calls([ada, bob], { notAgainWithin: 24 }, checkOnly());
		expect(await hintsOf(checked)).toContain('has no contacts yet');
		await prepare();
		expect(await hintsOf(checked)).not.toMatch(/no contacts yet|Without Not Again Within/);
	});

	test.each(['live', 'checkOnly'])(
		'%s: who is held back may not have been reached',
		async (mode) => {
			const rules = { notAgainWithin: 24 };
			const more = mode === 'live' ? {} : checkOnly();
			await prepare();
			add(past(60, { outcome: 'unknown' }));
			add(past(60, { phone: bob.to }));

			const said = await hintsOf(calls([ada, bob], rules, more));

			expect(said).toContain(`${ada.to} is held back, but may not have been reached: look up`);
			expect(said).not.toContain(bob.to);
			expect(await hintsOf(calls([bob], rules, more))).not.toContain('may not have');
		},
	);

	test.each(['live', 'checkOnly'])(
		'%s: that an outcome counts which may be a slip',
		async (mode) => {
			await prepare();
			add(past(60, { outcome: 'notMde' }));
			const more = mode === 'live' ? {} : checkOnly();

			expect(await hintsOf(calls([ada, bob], { notAgainWithin: 24 }, more))).toContain(
				'In the contact book, the outcome "notMde" counts as "accepted".',
			);
		},
	);

	test.each([{ notAgainWithin: 24 }, { atMostContacts: 1 }])(
		'with the rules %j that who may have been reached is settled in the book first',
		async (rules) => {
			simulator().addFault({ kind: 'resetAfter', times: 1 });
			const list = [ada, bob, { to: '0151 1' }];

			expect(await hintsOf(calls(list, rules, CONTINUE, { maxConcurrentRequests: 1 }))).toMatch(
				/did not take effect alone, too, once their outcome in the contact book is "notMade"\.$/,
			);
		},
	);
});

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

	test('is no other node, nor one that looks whether it has', async () => {
		await runNode(calls([ada], {}, { nodeId: 'another' }));
		const send = async (type: string) => (await outputs(without({ type })))[0]?.result;
		const [first, meanwhile] = [startProcess(), startProcess()];
		const sent: unknown[] = [];
		// The first process has asked, and not taken back yet what that adds.
		const removing = jest.spyOn(store(), 'removeProcessed').mockImplementationOnce(async () => {
			sent.push(await send(meanwhile));
		});

		sent.push(...(await Promise.all(Array.from({ length: 5 }, async () => await send(first)))));
		removing.mockRestore();
		for (let later = 0; later < 3; later++) sent.push(await send(startProcess()));

		expect(sent).toEqual(Array(9).fill('placed'));
	});
});
