import { past, useBookWorld } from './contactBook';
import { ada, bob, CONTINUE } from './contacts';
import { runNode, type NodeSetup } from './engine';

const { simulator, calls, add } = useBookWorld();

async function hintsOf(setup: NodeSetup): Promise<string> {
	const { run } = await runNode(setup);
	const hints = run.data.resultData.runData['Assistant Service']?.[0]?.hints ?? [];
	return hints.map(({ message }) => message).join(' ');
}

const checkOnly = () => ({ credential: { mode: 'checkOnly' } });

describe('the output panel says', () => {
	test.each(['live', 'checkOnly'])(
		'%s: who is held back may not have been reached',
		async (mode) => {
			const rules = { notAgainWithin: 24 };
			const more = mode === 'live' ? {} : checkOnly();
			add(past(60, { outcome: 'unknown' }));
			if (mode === 'checkOnly') add(past(1, { outcome: 'claimed' }));
			add(past(60, { phone: bob.to }));

			const said = await hintsOf(calls([ada, bob], rules, more));

			expect(said).toContain(`${ada.to} is held back, but may not have been reached: if`);
			expect(said).not.toContain(bob.to);
			expect(await hintsOf(calls([bob], rules, more))).not.toContain('may not have');
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
});
