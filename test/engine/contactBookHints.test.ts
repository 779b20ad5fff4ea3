import type { IDataObject } from 'n8n-workflow';

import { past, TABLE, useContactBook } from './contactBook';
import { ada, bob, CONTINUE, eve } from './contacts';
import { runNode, type NodeSetup } from './engine';
import { startProcess } from './virtualWorld';
import { credentialFor } from './world';

const { simulator, calls, prepare, add } = useContactBook();

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
			if (mode === 'checkOnly') add(past(1, { outcome: 'claimed' }));
			add(past(60, { phone: bob.to }));

			const said = await hintsOf(calls([ada, bob], rules, more));

			expect(said).toContain(`${ada.to} is held back, but may not have been reached: if`);
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
				/send whoever was not called, too, once their outcome in the contact book is "notMade"\.<br>2 failed:/,
			);
		},
	);

	test('how many only the node itself knows that it has contacted, once the book is on again', async () => {
		const rules = { notAgainWithin: 24 };
		await prepare();
		const { parameters } = calls([], rules);
		const without = { parameters: { ...parameters, useContactBook: false } };
		await runNode(calls([ada, bob, eve], rules, without));
		add({ phone: ada.to, doNotContact: true });
		add(past(60, { phone: bob.to }));

		expect(await hintsOf(calls([ada, bob, eve], rules))).toContain(
			'3 held back (1 do not contact, 2 contacted recently).',
		);
		expect(await hintsOf(calls([ada, bob, eve], rules))).toContain(
			'1 of these is held back by contacts that this node has made without the contact book',
		);
	});

	describe('that a node does without the book which it had:', () => {
		const without = (more: Partial<NodeSetup> = {}): NodeSetup => {
			const parameters = { ...calls([ada]).parameters, useContactBook: false };
			return calls([bob], {}, { parameters, ...more });
		};
		const said = `has used the contact book "${TABLE}", which is off now: whom only the book knows`;

		test.each(['live', 'checkOnly'])('%s, in each run', async (mode) => {
			const more = mode === 'live' ? {} : checkOnly();
			expect(await hintsOf(without(more))).not.toContain('contact book');
			await runNode(calls([ada], { notAgainWithin: 24 }));

			expect(await hintsOf(without(more))).toContain(said);
			expect(await hintsOf(without(more))).toContain(said);
		});

		test('also if the run stops with an error', async () => {
			await runNode(calls([ada]));
			simulator().addFault({ kind: 'status', status: 400 });

			const { error } = await runNode(without({ settings: {} }));

			expect(error?.description).toContain(said);
		});

		test.each(['live', 'checkOnly'])('%s, after a restart', async (mode) => {
			const more = mode === 'live' ? {} : checkOnly();
			const staticData: IDataObject = {};
			await runNode(calls([ada], {}, { staticData }));
			const later = async (saved: IDataObject) =>
				await hintsOf(without({ ...more, staticData: saved, type: startProcess() }));

			expect(await later(staticData)).toContain(said);
			// n8n saves nothing of it if the workflow was started by hand.
			const table = `the contact book "${TABLE}"`;
			expect(await later({})).toContain(said.replace(table, 'a contact book'));
			expect(await later({})).toContain(said.replace(table, 'a contact book'));
		});

		test('nothing of it after a restart, if it had none', async () => {
			await runNode(without());

			for (const more of [{}, checkOnly()]) {
				expect(await hintsOf(without({ ...more, type: startProcess() }))).not.toContain('book');
				expect(await hintsOf(without({ ...more, type: startProcess() }))).not.toContain('book');
			}
		});
	});
});
