import { until } from '../until';
import { useBookWorld } from './contactBook';
import { ada } from './contacts';
import { retryRun, runNode, startNode } from './engine';
import { callsByRecipient } from './world';

const { simulator, tables, calls, rows } = useBookWorld();

const RULES = { notAgainWithin: 24 };

const outcomes = () => rows().map(({ phone, outcome }) => [phone, outcome]);

test('a run that is cancelled while its claim is made leaves none', async () => {
	let release: () => void = () => undefined;
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	let isHeld = false;
	tables().holdAt((moment, { method, path }) => {
		if (moment !== 'answer' || method !== 'POST' || !path.endsWith('/rows')) return undefined;
		isHeld = true;
		return held;
	});
	const run = startNode(calls([ada], RULES));
	await until(() => isHeld);

	run.cancel();
	await run.finished;
	release();

	await until(() => outcomes().every(([, outcome]) => outcome === 'notMade'));
	expect(outcomes()).toHaveLength(1);
	expect(callsByRecipient(simulator())).toEqual({});
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
