import { hold } from '../simulator/hold';
import { until } from '../until';
import { useBookWorld } from './contactBook';
import { ada } from './contacts';
import { startNode } from './engine';
import { untilAsked } from './recipients';
import { numbers } from './world';

const { simulator, tables, calls, outputs, rows, reached } = useBookWorld();

const RULES = { notAgainWithin: 24 };

test('a list of 200 is claimed in parts of 50', async () => {
	tables().requests.splice(0);

	const output = await outputs(calls(numbers(200), RULES));

	expect(output.filter(({ result }) => result === 'placed')).toHaveLength(200);
	// Few requests a part: to claim it, and to write what became of it.
	expect(tables().requests.length).toBeLessThan(200);
	expect(rows().filter(({ outcome }) => outcome === 'accepted')).toHaveLength(200);
});

test('of a list that is cancelled, what was not sent is no contact', async () => {
	simulator().setTraffic({ latencyMs: 20 });
	const people = numbers(120);
	const run = startNode(calls(people, RULES, {}, { maxConcurrentRequests: 2 }));
	await untilAsked(simulator(), 60);

	run.cancel();
	await run.finished;

	const isClaimed = () => rows().some(({ outcome }) => outcome === 'claimed');
	await until(() => !isClaimed());
	const counts = reached();
	for (const { to } of people) {
		const made = rows().filter(({ phone, outcome }) => phone === to && outcome !== 'notMade');
		expect(made).toHaveLength(counts[to] ?? 0);
	}
});

test('a run that is cancelled while its claim is made leaves none', async () => {
	const { until: held, release } = hold();
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

	await until(() => rows().every(({ outcome }) => outcome === 'notMade'));
	expect(rows()).toHaveLength(1);
	expect(reached()).toEqual({});
});
