import { past, useContactBook } from './contactBook';
import { ada, bob, CONTINUE } from './contacts';
import { runNode, type NodeSetup } from './engine';
import { startProcess } from './virtualWorld';
import { credentialFor } from './world';

const { simulator, calls, prepare, add } = useContactBook();

describe('the output panel says', () => {
	const hintsOf = async (setup: NodeSetup): Promise<string> => {
		const { run } = await runNode(setup);
		const hints = run.data.resultData.runData['Assistant Service']?.[0]?.hints ?? [];
		return hints.map(({ message }) => message).join(' ');
	};

	const checkOnly = () => ({ credential: { ...credentialFor(simulator()), mode: 'checkOnly' } });

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

	describe('that a node does without the book which it had', () => {
		const said = 'has used a contact book, and does not any more: whom only the book knows';

		const without = (more: Partial<NodeSetup> = {}) => {
			const parameters = { ...calls([ada]).parameters, useContactBook: false };
			return calls([bob], {}, { parameters, ...more });
		};

		/** In a process of its own. */
		const hintsLater = async (more: Partial<NodeSetup> = {}) =>
			await hintsOf(without({ type: startProcess(), ...more }));

		test('until a run has said so that sends', async () => {
			expect(await hintsOf(without())).toBe('');
			await runNode(calls([ada], { notAgainWithin: 24 }));

			expect(await hintsOf(without(checkOnly()))).toContain(said);
			simulator().addFault({ kind: 'status', status: 400, times: 1 });
			expect((await runNode(without())).error).toBeDefined();
			expect(await hintsOf(without())).toContain(said);
			expect(await hintsOf(without())).toBe('');
			expect(await hintsLater()).toBe('');
		});

		test('also after a restart', async () => {
			await runNode(calls([ada]));

			expect(await hintsLater(checkOnly())).toContain(said);
			expect(await hintsLater()).toContain(said);
			expect(await hintsLater()).toBe('');

			await runNode(calls([ada]));
			expect(await hintsLater()).toContain(said);
		});

		test('but not of a node that had none', async () => {
			await hintsLater();

			expect(await hintsLater()).toBe('');
		});
	});
});
