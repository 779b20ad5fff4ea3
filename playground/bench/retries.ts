import { openBook } from '../e2e/contactBook';
import { isTo } from '../e2e/exampleWorkflows';
import { post } from '../post';
import type { SavedExecution } from '../restTypes';
import { spreadOf, type Figure } from './figures';
import { measureTable, spreadTarget, type Report } from './report';
import { clock, type Rig } from './rig';
import { behindWebhook, contactsOf, FROM_ITEM, newNumbers, serviceNode } from './workflows';

const PEOPLE = 1000;
const ROUNDS = 9;

/** How long the node took, in milliseconds. */
interface Sample {
	first: number;
	retry: number;
}

const timeOf = ({ data }: SavedExecution): number =>
	data.resultData.runData.Runner?.[0]?.executionTime ?? NaN;

const overFirst: Figure<Sample> = ({ first, retry }) => retry / first;

/** A retry beside its first run, each of which calls half of a list. */
export async function measureRetries(rig: Rig, isQuick: boolean): Promise<Report> {
	const { client, simulator } = rig;
	simulator.setTraffic({ latencyMs: 0, requestsPerSecond: null });
	// Gives a run in the middle of which the service refuses a call, and its retry, which calls the others.
	const createRun = async (node: Pick<Rig, 'credentials'>, contactRules = {}) => {
		const calling = serviceNode(node, { ...FROM_ITEM, contactRules });
		const { id, url } = await behindWebhook(client, [clock('begin'), calling], {});
		return async (): Promise<Sample> => {
			simulator.reset();
			const people = newNumbers(PEOPLE);
			const when = isTo(people[PEOPLE / 2] ?? '');
			simulator.addFault({ kind: 'status', status: 400, times: 1, when });
			await post(url, { items: contactsOf(people) });
			const failedId = (await client.allFinished(id))[0]?.id ?? '';
			const retry = await client.retry(failedId);
			const called = simulator.processed('placeCall').length;
			if (called !== PEOPLE) throw new Error(`${called} of ${PEOPLE} calls: retry ${retry.status}`);
			return { first: timeOf(await client.execution(failedId)), retry: timeOf(retry) };
		};
	};
	const { world } = await openBook(rig);
	const runners = {
		'no contact book': await createRun(rig),
		'Not Again Within, contact book': await createRun(world, { notAgainWithin: 24 }),
	};
	for (const run of Object.values(runners)) await run();
	const { samples, figures } = await measureTable({
		...{
			title: `${PEOPLE} people, half of them in a retry`,
			rounds: isQuick ? 1 : ROUNDS,
			runners,
		},
		figures: {
			'× its first run': overFirst,
			'first run, ms': ({ first }) => first,
			'retry, ms': ({ retry }) => retry,
		},
	});
	const ratios = Object.entries(samples).map(
		([name, ofRunner]) => [name, spreadOf(ofRunner.map(overFirst))] as const,
	);
	const promise = 'A retry at most 1.5 times as long as its first run';
	return { targets: [spreadTarget(promise, ratios, ({ median }) => median <= 1.5)], figures };
}
