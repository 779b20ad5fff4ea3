import type { IDataObject } from 'n8n-workflow';

import { past, HOURS } from '../engine/contactBook';
import { ada, bob, CONTINUE, eve } from '../engine/contacts';
import { runNode } from '../engine/engine';
import { useWaits } from '../engine/waits';
import { calledOnce } from '../engine/world';
import { AT_ONCE, LIST, PASTS, TRIES } from './lists';

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
