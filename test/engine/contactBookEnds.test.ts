import { until } from '../until';
import { useBookWorld, minutesAgo, TABLE } from './contactBook';
import { ada, bob, CONTINUE } from './contacts';
import { retryRun, runNode, startNode } from './engine';
import { callsByRecipient } from './world';

const { simulator, tables, calls, outputs, rows, add, store, untilLookedUp } = useBookWorld();

const RULES = { notAgainWithin: 24 };

const outcomes = () => rows().map(({ phone, outcome }) => [phone, outcome]);

const isInsert = ({ method, path }: { method: string; path: string }): boolean =>
	method === 'POST' && path.endsWith('/rows');

describe('a cancelled run leaves no claim', () => {
	test('nor makes one afterwards, if n8n remembers late what was sent', async () => {
		let release: () => void = () => undefined;
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		let isHeld = false;
		const { answer } = store();
		store().answer = async () => {
			isHeld = true;
			await held;
		};
		const run = startNode(calls([ada], RULES));
		await until(() => isHeld);

		run.cancel();
		await run.finished;
		store().answer = answer;
		release();
		// What it would claim now would be in the book before what a later run claims.
		await outputs(calls([bob], RULES));

		expect(outcomes().filter(([, outcome]) => outcome === 'claimed')).toEqual([]);
	});
});

test('a claim that could not be withdrawn is withdrawn at the end', async () => {
	const rival = add({
		phone: ada.to,
		mode: 'live',
		outcome: 'notMade',
		contactedAt: minutesAgo(0),
	});
	// Its own row is there, and a lower one comes back before it is read; then n8n fails at the withdrawal.
	tables().holdAt((moment, request) => {
		if (moment !== 'answer' || !isInsert(request)) return undefined;
		tables().holdAt(undefined);
		tables().table(TABLE).edit(rival, { outcome: 'claimed' });
		tables().fail({ when: ({ method }) => method === 'PATCH', answer: { status: 500 }, times: 2 });
		return undefined;
	});

	const running = outputs(calls([ada], RULES, CONTINUE));
	// It waits for the rival once n8n has failed and has been asked again.
	const failures = () => tables().requests.filter(({ status }) => status === 500);
	await until(() => failures().length === 2);
	await untilLookedUp(ada.to);
	tables().table(TABLE).edit(rival, { outcome: 'notMade' });

	expect(await running).toMatchObject([{ result: 'placed' }]);
	expect(outcomes().filter(([, outcome]) => outcome === 'claimed')).toEqual([]);
});

test('a try that was refused is no contact, although an earlier one may have worked', async () => {
	simulator().addFault({ kind: 'resetAfter', times: 1 });
	const failed = await runNode(calls([ada], RULES));
	simulator().addFault({ kind: 'status', status: 400, times: 1 });

	await retryRun(failed.run, calls([ada], RULES, {}, { ifOutcomeUnknown: 'sendAgain' }));

	expect(outcomes()).toEqual([
		[ada.to, 'unknown'],
		[ada.to, 'notMade'],
	]);
	expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 1 });
});
