import type { INode } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { recipientOf } from '../../test/simulator/recipient';
import { post } from '../post';
import { spreadOf, type Figure } from './figures';
import { exactTarget, measureTable, spreadTarget, type Report } from './report';
import type { Rig } from './rig';
import { behindWebhook, httpRequestNode, newNumbers, outcomeOf } from './workflows';
import { serviceNode, TO_POSTED, type Outcome } from './workflows';

/** How many executions of one call each are started at the same moment. */
const EXECUTIONS = 200;
const QUICK_EXECUTIONS = 40;
const ROUNDS = 3;
const WARM_UP_EXECUTIONS = 20;
const PER_SECOND = 20;
/** What this node learns of a limit, it knows for so long. */
const LIMIT_KNOWN_MS = 60_000;
const MAX_TIME = 1.2;

/** Times in seconds from the moment in which the events were posted. */
interface Sample extends Outcome {
	/** Executions that ended with an error. */
	failed: number;
	requestsPerCall: number;
	/** Until the service acted on the last call that it acted on. */
	end: number;
	/** The {@link end} with a service that allows everything: what n8n itself needs. */
	unlimitedEnd: number;
	/** The earliest end that the limit leaves, for events that n8n works off as it does without one. */
	idealEnd: number;
}

const failed: Figure<Sample> = (sample) => sample.failed;

/** Nothing where somebody was lost, since fewer calls take less time. */
const timeOverIdeal: Figure<Sample> = ({ lost, end, idealEnd }) =>
	lost > 0 ? NaN : end / idealEnd;

/**
 * When the last of these calls could have been served at the earliest: each as soon as it came, or a second after the one
 * that is so many before it.
 *
 * @param cameAt when n8n sent the calls where nothing was limited, in seconds, in order
 */
function idealEnd(cameAt: readonly number[]): number {
	const served: number[] = [];
	for (const [index, came] of cameAt.entries())
		served.push(Math.max(came, (served[index - PER_SECOND] ?? -Infinity) + 1));
	return served.at(-1) ?? NaN;
}

/** Measures without a limit before with one, and when none is known from the round before. */
async function runBurst(rig: Rig, calling: INode, executions: number): Promise<Sample> {
	const { client, simulator } = rig;
	// Posts all events at the same moment, and waits until no execution is under way.
	const postAll = async (requestsPerSecond: number | null) => {
		const { id, url } = await behindWebhook(client, [calling], {}, 'onReceived');
		const postTo = async (people: readonly string[]) => {
			await Promise.all(people.map(async (phone) => post(url, { phone })));
			return await client.allFinished(id);
		};
		simulator.setTraffic({ latencyMs: 0, requestsPerSecond: null });
		const warmUps = await postTo(newNumbers(WARM_UP_EXECUTIONS));
		simulator.setTraffic({ latencyMs: 0, requestsPerSecond });
		simulator.reset();
		const people = newNumbers(executions);
		const postedAt = performance.now();
		const ended = (await postTo(people)).slice(0, -warmUps.length);
		const calls = simulator.requests.filter(({ processed }) => processed);
		return {
			...outcomeOf(people, calls.map(recipientOf)),
			failed: ended.filter(({ status }) => status !== 'success').length,
			requestsPerCall: simulator.requests.length / executions,
			servedAt: calls.map(({ at }) => (at - postedAt) / 1000),
		};
	};
	const unlimited = await postAll(null);
	const { servedAt, ...limited } = await postAll(PER_SECOND);
	return {
		...limited,
		end: Math.max(...servedAt),
		unlimitedEnd: Math.max(...unlimited.servedAt),
		idealEnd: idealEnd(unlimited.servedAt),
	};
}

/** Many executions of one call each at once. */
export async function measureBursts(rig: Rig, isQuick: boolean): Promise<Report> {
	const executions = isQuick ? QUICK_EXECUTIONS : EXECUTIONS;
	const title = `${executions} executions of one call each at once, the service allows ${PER_SECOND} requests a second`;
	const measured = await measureTable<'this node' | 'HTTP Request', Sample>({
		title,
		rounds: isQuick ? 1 : ROUNDS,
		runners: {
			'this node': async () => {
				await sleep(LIMIT_KNOWN_MS);
				return await runBurst(rig, serviceNode(rig, TO_POSTED), executions);
			},
			'HTTP Request': async () => await runBurst(rig, httpRequestNode(rig, TO_POSTED), executions),
		},
		figures: {
			'without the limit, s': ({ unlimitedEnd }) => unlimitedEnd,
			'called once': ({ once }) => once,
			twice: ({ moreThanOnce }) => moreThanOnce,
			lost: ({ lost }) => lost,
			'failed executions': failed,
			'requests per call': ({ requestsPerCall }) => requestsPerCall,
			'time, s': ({ end }) => end,
			'ideal, s': (sample) => sample.idealEnd,
			'× ideal': timeOverIdeal,
		},
	});
	const ofNode = measured.samples['this node'];
	return {
		targets: [
			exactTarget(`${title}: everybody called once`, ofNode),
			spreadTarget(
				'The same: failed executions, at most 0',
				[['', spreadOf(ofNode.map(failed))]],
				({ max }) => max <= 0,
			),
			spreadTarget(
				`The same: time over the ideal time, at most ${MAX_TIME}`,
				[['', spreadOf(ofNode.map(timeOverIdeal))]],
				({ median }) => median <= MAX_TIME,
			),
		],
		figures: measured.figures,
	};
}
