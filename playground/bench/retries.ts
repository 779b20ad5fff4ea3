import { openBook } from '../e2e/contactBook';
import { isTo } from '../e2e/exampleWorkflows';
import { post } from '../post';
import type { SavedExecution } from '../restTypes';
import { spreadOf, type Figure } from './figures';
import { atMost, measureTable, middle, spreadTarget, type Report } from './report';
import type { Rig } from './rig';
import { clock, nameOf, runnerNode, SENDER } from './runners';
import { prepare } from './service';
import { behindWebhook, newNumbers, type Active } from './workflows';

const PEOPLE = 1_000;
const RUNNERS = ['node', 'nodeBook'] as const;

/** How long the node took, in milliseconds. */
interface Sample {
	first: number;
	retry: number;
}

const timeOf = ({ data }: SavedExecution): number =>
	data.resultData.runData.Runner?.[0]?.executionTime ?? NaN;

const overFirst: Figure<Sample> = ({ first, retry }) => retry / first;

/** A run in the middle of which the service refuses a call, and its retry, which calls the others. */
async function runAndRetry({ client, simulator }: Rig, { id, url }: Active): Promise<Sample> {
	prepare(simulator, null);
	const people = newNumbers(PEOPLE);
	const when = isTo(people[PEOPLE / 2] ?? '');
	simulator.addFault({ kind: 'status', status: 400, times: 1, when });
	await post(url, { people, ...SENDER });
	const failedId = (await client.allFinished(id))[0]?.id ?? '';
	const retry = await client.retry(failedId);
	const called = simulator.processed('placeCall').length;
	if (called !== PEOPLE) throw new Error(`${called} of ${PEOPLE} calls: retry ${retry.status}`);
	return { first: timeOf(await client.execution(failedId)), retry: timeOf(retry) };
}

/** A retry beside its first run, each of which calls half of a list. */
export async function measureRetries(rig: Rig, isQuick: boolean): Promise<Report> {
	const { world } = await openBook(rig);
	const active = new Map<string, Active>();
	for (const runner of RUNNERS) {
		const calls = runnerNode(runner, runner === 'node' ? rig : world, '={{ $json.to }}');
		const nodes = [clock('begin'), calls];
		active.set(runner, await behindWebhook(rig.client, nameOf(runner), nodes, 'lastNode', {}));
	}
	const run = async (runner: string) =>
		await runAndRetry(rig, active.get(runner) ?? { id: '', url: '' });
	for (const runner of RUNNERS) await run(runner);
	const { samplesOf, figures } = await measureTable({
		title: `${PEOPLE} people, half of them in a retry`,
		...{ rounds: isQuick ? 1 : 9, runners: RUNNERS, nameOf, run },
		columns: [
			middle('first run, ms', ({ first }: Sample) => first, 0),
			middle('retry, ms', ({ retry }: Sample) => retry, 0),
			middle('× its first run', overFirst, 2),
		],
	});
	const ratios = RUNNERS.map(
		(runner) => [nameOf(runner), spreadOf(samplesOf(runner).map(overFirst))] as const,
	);
	const promise = 'A retry at most 1.5 times as long as its first run';
	return { targets: [spreadTarget(promise, ratios, atMost(1.5))], figures };
}
