import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedRequest } from '../../test/simulator/simulator';
import { post } from '../post';
import { count, show, spreadOf, type Spread } from './figures';
import { atMost, measureTable, middle, spreadTarget, whole } from './report';
import type { Column, Report, Target } from './report';
import { nameOf, type RunnerId } from './runners';
import { outcomeOf, prepare, type Outcome } from './service';
import type { Rig } from './rig';
import { newNumbers, singleCalls } from './workflows';

/** So many executions of one call each, all started at the same moment. */
const EXECUTIONS = 200;
const QUICK_EXECUTIONS = 40;
const ROUNDS = 3;
const RUNNERS: readonly RunnerId[] = ['node', 'httpRequest'];
const WARM_UP_EXECUTIONS = 20;
const PER_SECOND = 20;
/** What this node learns of a limit, it knows for so long. */
const LIMIT_KNOWN_MS = 60_000;
const ALLOWS = `the service allows ${PER_SECOND} requests a second`;

/** Times in milliseconds from the moment in which the events were posted. */
interface BurstSample extends Outcome {
	/** Executions that ended with an error. */
	failed: number;
	/** Until the service acted on the last call that it acted on. */
	end: number;
	/** The {@link end} with a service that allows everything: what n8n itself needs. */
	unlimitedEnd: number;
	/** The earliest end that the limit leaves, for events that n8n works off as it does without one. */
	idealEnd: number;
}

const MAX_TIME = 1.2;

/** Over the rounds; nothing where somebody was lost, since fewer calls take less time. */
const timeOverIdeal = (samples: readonly BurstSample[]): Spread | undefined =>
	samples.some(({ lost }) => lost > 0)
		? undefined
		: spreadOf(samples.map(({ end, idealEnd }) => end / idealEnd));

const COLUMNS: readonly Column<BurstSample>[] = [
	whole('called once', ({ once }) => once, 'min'),
	whole('twice', ({ moreThanOnce }) => moreThanOnce, 'max'),
	whole('lost', ({ lost }) => lost, 'max'),
	whole('failed executions', ({ failed }) => failed, 'max'),
	middle('requests per call', ({ requestsPerCall }) => requestsPerCall, 2),
	middle('time, s', ({ end }) => end / 1000, 1),
	middle('without the limit, s', ({ unlimitedEnd }) => unlimitedEnd / 1000, 1),
	middle('ideal, s', ({ idealEnd }) => idealEnd / 1000, 1),
	['× ideal', (samples) => show(timeOverIdeal(samples), 2)],
];

/** When the service acted on a call, in order. */
const servedTimes = (arrivals: readonly RecordedRequest[]): number[] =>
	arrivals.flatMap(({ processed, at }) => (processed ? [at] : []));

/**
 * When the last of these calls could have been served at the earliest: each as soon as it came, or a second after the one
 * that is so many before it.
 *
 * @param cameAt when n8n sent the calls where nothing was limited, in milliseconds, in order
 * @param perSecond how many the service allows within any second
 */
function idealEnd(cameAt: readonly number[], perSecond: number): number {
	const served: number[] = [];
	for (const [index, came] of cameAt.entries()) {
		served.push(Math.max(came, (served[index - perSecond] ?? -Infinity) + 1000));
	}
	return served.at(-1) ?? NaN;
}

/** Without a limit is measured before with one, and when none is known from the round before. */
async function runBurst(rig: Rig, executions: number, runner: RunnerId): Promise<BurstSample> {
	const { client, simulator } = rig;
	// Posts all events at the same moment, and waits until no execution is under way.
	const postAll = async (allowed: number | null) => {
		const { id, url } = await singleCalls(rig, runner, 'onReceived');
		const postSome = async (howMany: number) => {
			await Promise.all(newNumbers(howMany).map(async (to) => post(url, { to })));
			return await client.allFinished(id);
		};
		prepare(simulator, null);
		const warmUps = await postSome(WARM_UP_EXECUTIONS);
		prepare(simulator, allowed);
		const postedAt = performance.now();
		const ended = (await postSome(executions)).slice(0, -warmUps.length);
		return {
			arrivals: simulator.requests.map((one) => ({ ...one, at: one.at - postedAt })),
			failed: ended.filter(({ status }) => status !== 'success').length,
		};
	};
	if (runner === 'node') await sleep(LIMIT_KNOWN_MS);
	const unlimited = servedTimes((await postAll(null)).arrivals);
	const { arrivals, failed } = await postAll(PER_SECOND);
	return {
		...outcomeOf(arrivals, executions),
		failed,
		end: Math.max(...servedTimes(arrivals)),
		unlimitedEnd: Math.max(...unlimited),
		idealEnd: idealEnd(unlimited, PER_SECOND),
	};
}

function burstTargets(executions: number, own: readonly BurstSample[]): Target[] {
	const most = (name: 'moreThanOnce' | 'lost' | 'failed') =>
		Math.max(...own.map((sample) => sample[name]));
	const once = Math.min(...own.map((sample) => sample.once));
	return [
		{
			promise: `${count(executions)} executions of one call each at once, ${ALLOWS}: everybody called once`,
			measured: `${count(once)} once, ${most('moreThanOnce')} twice, ${most('lost')} lost, ${most('failed')} executions failed`,
			isMet: once === executions && most('failed') === 0,
		},
		spreadTarget(
			`The same: time over the ideal time, at most ${MAX_TIME}`,
			[['', timeOverIdeal(own)]],
			atMost(MAX_TIME),
		),
	];
}

/** Many executions of one call each at once. */
export async function measureBursts(rig: Rig, isQuick: boolean): Promise<Report> {
	const [executions, rounds] = isQuick ? [QUICK_EXECUTIONS, 1] : [EXECUTIONS, ROUNDS];
	const table = {
		title: `${count(executions)} executions of one call each at the same moment, ${ALLOWS}`,
		...{ rounds, runners: RUNNERS, nameOf, columns: COLUMNS },
		run: async (runner: RunnerId) => await runBurst(rig, executions, runner),
	};
	const { samplesOf, figures } = await measureTable(table);
	return { targets: burstTargets(executions, samplesOf('node')), figures };
}
