import { HOUR } from '../../nodes/shared/time/clock';
import { itemsOf } from '../executions';
import { passDay } from '../passDay';
import type { SavedExecution, WorkflowDraft } from '../restTypes';
import { rowsOf, useExampleBook } from './contactBook';
import { hearEvents, isTo } from './exampleWorkflows';
import {
	ADA,
	DOROTHY,
	endCall,
	GRACE,
	KATHERINE,
	MARY,
	report,
	resultsOf,
	runAList,
} from './listExample';
import { TRIGGER, useWorld } from './world';

const world = useWorld();
const book = useExampleBook(world);

const summaryOf = ({ data }: SavedExecution): string | undefined =>
	data.resultData.runData['Place Call']?.[0]?.hints?.[0]?.message;

it('the example "Run a list" calls each day who is due, until everybody was reached or got an SMS', async () => {
	const { client, simulator } = world();
	const { id } = await hearEvents(world(), runAList(), TRIGGER);
	const run = async () => await client.run(id, 'Every Hour');

	expect(resultsOf(await run())).toEqual(Array(5).fill('placed'));
	expect(resultsOf(await run())).toEqual(Array(5).fill('resultOpen'));
	const callBackAt = new Date(Date.now() + 26 * HOUR).toISOString();
	await endCall(world(), ADA, { reached: 'yes' });
	await endCall(world(), GRACE, { reached: 'no' });
	await endCall(world(), MARY, { reached: 'yes', callBackAt });
	await endCall(world(), DOROTHY, { transcript: '' });
	expect(resultsOf(await run())).toEqual([
		...['reached', 'contactedRecently', 'resultOpen', 'callBack', 'contactedRecently'],
	]);

	await passDay(book());
	expect(resultsOf(await run())).toEqual(['reached', 'placed', 'placed', 'callBack', 'placed']);
	await endCall(world(), GRACE, { reached: 'no' });
	await endCall(world(), KATHERINE, { reached: 'yes' });
	await endCall(world(), DOROTHY, { reached: 'yes', optOut: 'yes' });

	await passDay(book());
	const third = await run();
	expect(resultsOf(third)).toEqual(['reached', 'placed', 'reached', 'placed', 'doNotContact']);
	expect(summaryOf(third)).not.toContain('Nobody is left');
	await endCall(world(), GRACE, { reached: 'no' });
	await endCall(world(), MARY, { reached: 'yes' });
	const last = await run();
	expect(resultsOf(last)).toEqual([
		...['reached', 'attemptsUsed', 'reached', 'reached', 'doNotContact'],
	]);
	expect(summaryOf(last)).toContain(
		'Of 5 items: 5 held back (1 do not contact, 3 reached, 1 attempts used up). This run of the node contacted nobody. Nobody is left on the list "Spring 2027" among these items.',
	);
	expect(itemsOf(last, 'Send SMS')).toMatchObject([
		{ toNumber: GRACE, result: 'sent', reference: 'C-3002' },
	]);
	const again = await run();
	expect(itemsOf(again, 'Send SMS')).toMatchObject([{ reason: 'attemptsUsed' }]);
	expect(simulator.processed('startSms')).toHaveLength(1);
	const calls = simulator.state().calls.map(({ toNumber }) => toNumber);
	expect(
		[ADA, GRACE, KATHERINE, MARY, DOROTHY].map(
			(phone) => calls.filter((called) => called === phone).length,
		),
	).toEqual([1, 3, 2, 2, 2]);
	expect(
		(await rowsOf({ table: book() })).filter(({ list }) => list === 'Spring 2027'),
	).toHaveLength(11);

	const { row, html } = await report(world());
	expect(row).toMatchObject({
		...{ list: 'Spring 2027', people: 5, contacted: 5, rowsWithoutNumber: 0 },
		...{ reached: 3, givenUp: 1, open: 0, optedOut: 1, notYetContacted: 0 },
		byDay: expect.stringMatching(
			/^\S+: 1 reached, 5 contacts\n\S+: 1 reached, 3 contacts\n\S+: 1 reached, 3 contacts$/,
		) as unknown,
	});
	expect(row).not.toHaveProperty('days');
	expect(html).toContain('reached: 3 of 5 people');
	await client.deactivate(id);
});

it('the example "Run a list" names the rows that cannot be called, and calls the others', async () => {
	const { client, simulator } = world();
	simulator.addFault({ kind: 'status', status: 400, when: isTo(GRACE) });
	simulator.addFault({ kind: 'resetAfter', when: isTo(MARY) });
	const draft = JSON.parse(
		JSON.stringify(runAList()).replace(ADA, '0212 555 0101'),
	) as WorkflowDraft;
	const { id } = await client.createWorkflow(draft);

	const execution = await client.run(id, 'Every Hour');

	expect(resultsOf(execution)).toEqual(['placed', 'placed']);
	expect(itemsOf(execution, 'Failed Rows')).toMatchObject([
		{ phone: '0212 555 0101', id: 'C-3001', contacted: 'no' },
		{ phone: GRACE, id: 'C-3002', contacted: 'no' },
		{ phone: MARY, id: 'C-3004', contacted: 'unknown' },
	]);
});

it('the example "List report" reports a list of which nobody has been called, whatever its name', async () => {
	const name = '<b>$& {{ 1 + 1 }}';
	const { row, html } = await report(world(), (draft) =>
		draft.replaceAll('Spring 2027', () => name),
	);

	expect(row).toMatchObject({ list: name, people: 5, contacted: 0, notYetContacted: 5, byDay: '' });
	expect(html).toContain('&#60;b&#62;&#36;&#38; &#123;&#123; 1 &#43; 1 &#125;&#125;</h1>');
	expect(html).toContain('Nobody has been contacted yet.');
});
