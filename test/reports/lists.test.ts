import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { past, HOURS } from '../engine/contactBook';
import { ada, bob, CONTINUE, eve } from '../engine/contacts';
import { runNode } from '../engine/engine';
import { useWaits } from '../engine/waits';
import { calledOnce } from '../engine/world';
import type { Reports } from './report';

/** The rules of a list that is called again and again. */
const LIST = { list: 'Spring' };
const TRIES = { ...LIST, attempts: 3, notAgainWithin: 1 };
const BRIEF = { ...TRIES, noResultAfter: 4 };
const DAILY = { ...LIST, notAgainWithin: 24 };

const expired = { outcome: 'notMade' };
const timedOut = { outcome: 'unknown', contactId: null };
const no = { reached: 'no' };
const twice = { reached: 'no', claim: 'a.1' };
const failed = (code: number) => ({ ...no, variables: `{"sip":${code}}` });

/** What the book has of a person, ten hours apart, and what the rules make of it. */
const PASTS: Reports<[rows: IDataObject[], rules: INodeParameters, reason: string]> = [
	['PYPE-AI-MAIN/whispey#494', [480, 486, 503].map(failed), TRIES, 'attemptsUsed'],
	['instedd/surveda#1589', [expired, expired, expired], TRIES, 'placed'],
	['CALLE#150', [timedOut], TRIES, 'resultOpen'],
	['elizaOS/eliza#22384', [timedOut, timedOut, timedOut], BRIEF, 'attemptsUsed'],
	['CALLE#337', [{ endedAt: '2026-09-06' }], TRIES, 'resultOpen'],
	['hkjarral/AVA-AI-Voice-Agent-for-Asterisk#539', [twice, twice, no], TRIES, 'placed'],
	['eracle/OpenOutreach#881', [{ list: 'Jobs' }], DAILY, 'contactedRecently'],
];

/** Rows that runs have at once, and the rules of each. */
const AT_ONCE: Reports<[people: (typeof ada)[], rules: INodeParameters[]]> = [
	['juspay/clairvoyance#668', [ada, ada, ada], [TRIES, TRIES, TRIES, TRIES]],
	['n8n-io/n8n#30607, n8n-io/n8n#28322', [ada, bob], [TRIES, { list: ' spring' }]],
];

const { begin, waitFor, outputs, add, reached, simulator } = useWaits();

/** What becomes of these people. */
const call = async (items: IDataObject[], rules: object, operation = 'place') => {
	const setup = waitFor(items, { operation, contactRules: { ...rules } }, CONTINUE);
	return (await outputs(setup)).map(({ result, reason }) => reason ?? result);
};

test.each(PASTS)('%s', async (_, rows, rules, reason) => {
	for (const [index, row] of rows.entries())
		add(past((rows.length - index) * 10 * HOURS, { operation: 'call.place', ...LIST, ...row }));

	expect(await call([ada], rules)).toEqual([reason]);
	expect(simulator().requests).toHaveLength(reason === 'placed' ? 1 : 0);
});

test.each(AT_ONCE)('%s: runs at once call each person once', async (_, people, rules) => {
	await Promise.all(rules.map(async (ofRun) => await call(people, ofRun)));

	expect(reached()).toEqual(calledOnce([...new Set(people)]));
});

/** n8n-io/n8n#13322. */
test('a trigger that hands over all rows for a new one calls the new one', async () => {
	await call([ada, bob], LIST);

	expect(await call([ada, bob, eve], LIST)).toEqual(['attemptsUsed', 'attemptsUsed', 'placed']);
});

/** n8n-io/n8n#13168, n8n-io/n8n#28488. */
test('while an execution waits, it waits on if it begins anew, and another one calls nobody', async () => {
	const setup = waitFor([ada], { contactRules: TRIES });
	await begin(setup, 'token');

	const anew = await begin(setup, 'token');
	const other = await begin(setup);

	expect(anew).toMatchObject({ status: 'waiting', outputs: [{ result: 'placed' }] });
	expect(other).toMatchObject({ status: 'success', outputs: [{ reason: 'resultOpen' }] });
	expect(reached()).toEqual({ [ada.to]: 1 });
});

/** NVIDIA-AI-Blueprints/video-search-and-summarization#2170, langchain-ai/langchain#38969. */
test('an agent that repeats a tool that has worked is told why nobody is called', async () => {
	const settings = { rewireOutputLogTo: 'ai_tool' as const };
	const tool = waitFor([ada], { operation: 'place', contactRules: LIST }, { settings });

	const results = [(await runNode(tool)).items, (await runNode(tool)).items];

	expect(results).toMatchObject([
		[{ json: { result: 'placed' } }],
		[{ json: { reason: 'attemptsUsed' } }],
	]);
	expect(reached()).toEqual({ [ada.to]: 1 });
});
