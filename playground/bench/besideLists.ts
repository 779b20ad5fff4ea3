import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually';
import { post } from '../post';
import { count, medianOf, show, spreadOf, sum, type Spread } from './figures';
import { whole, type Column, type Target } from './report';
import { measureTable, of, type Rig } from './rounds';
import { clock, goingOn, nameOf, runnerNode, type RunnerId } from './runners';
import { allows, STRICT, type Limit } from './service';
import { behindWebhook, numbers, warmSingle, type Active } from './workflows';

/** Single calls, one after the other, while an execution of the same runner works on a list of so many items. */
interface BesideList {
	list: number;
	/** `null` if the service allows everything. */
	limit: Limit | null;
	rounds: number;
	runners: readonly RunnerId[];
}

/** Times in milliseconds from posting each event until the service acted on its call. */
interface BesideListSample {
	/** With nothing else going on. */
	idle: number[];
	besideList: number[];
	lost: number;
	/** How many requests of the list came in between, for each of them. */
	inBetween: number[];
}

const LISTS: readonly BesideList[] = [null, STRICT].map((limit) => ({
	list: 5000,
	limit,
	rounds: 3,
	runners: ['node', 'httpRequest', 'declarative'],
}));
/** Whether everything works. */
const QUICK: readonly BesideList[] = [{ list: 500, limit: STRICT, rounds: 1, runners: ['node'] }];

const WARM_UP_ITEMS = 300;
const SINGLES = 5;
/** After so many requests a list is under way: a runner has met the limit. */
const REQUESTS_AHEAD = 60;
/** After so long without a request, a list that was stopped sends no more. */
const QUIET_MS = 2000;
const MAX_IN_BETWEEN = 10;

/** How many times as long a call waits beside the list: the medians of each round. */
const waitRatio = (samples: readonly BesideListSample[]): Spread | undefined =>
	spreadOf(samples.map(({ idle, besideList }) => medianOf(besideList) / medianOf(idle)));

const allOf = (samples: readonly BesideListSample[], name: 'idle' | 'besideList' | 'inBetween') =>
	spreadOf(samples.flatMap((sample) => sample[name]));

const COLUMNS: readonly Column<BesideListSample>[] = [
	whole('called', ({ besideList }) => besideList.length, 'sum'),
	whole('lost', ({ lost }) => lost, 'sum'),
	['wait, ms', (samples) => show(allOf(samples, 'besideList'), 0)],
	['with nothing else going on, ms', (samples) => show(allOf(samples, 'idle'), 0)],
	['ratio', (samples) => show(waitRatio(samples), 2)],
	['requests of the list in between', (samples) => show(allOf(samples, 'inBetween'), 0)],
];

/** Posts events one after the other, each when the execution before has ended; gives what the service acted on. */
async function callOneByOne({ client, service, untilReady }: Rig, { id, url }: Active) {
	const posted: { to: string; postedAt: number }[] = [];
	for (const to of numbers(SINGLES)) {
		posted.push({ to, postedAt: Date.now() });
		await post(url, { to });
		await untilReady();
		await client.allFinished(id);
	}
	const arrivals = service.arrivals();
	return posted.flatMap(({ to, postedAt }) => {
		const served = arrivals.find(({ processed, recipient }) => processed && recipient === to);
		if (served === undefined) return [];
		const between = arrivals.filter(({ at }) => at > postedAt && at < served.at);
		const ofList = between.filter(({ recipient }) => recipient !== to);
		return [{ wait: served.at - postedAt, inBetween: ofList.length }];
	});
}

async function runBesideList(
	rig: Rig,
	{ list, limit }: BesideList,
	runner: RunnerId,
): Promise<BesideListSample> {
	const { client, service } = rig;
	const single = await warmSingle(rig, runner);
	const contacts = [clock('begin'), runnerNode(runner, 1, rig, '={{ $json.to }}', goingOn(runner))];
	const { id, url } = await behindWebhook(client, `List: ${runner}`, contacts, 'onReceived');
	await post(url, { count: WARM_UP_ITEMS, ...service.sender });
	await client.allFinished(id);

	service.prepare(limit);
	const idle = await callOneByOne(rig, single);
	service.prepare(limit);
	await post(url, { count: list, ...service.sender });
	await eventually('the first requests of the list', () =>
		Promise.resolve(service.arrivals().length >= REQUESTS_AHEAD || undefined),
	);
	const beside = await callOneByOne(rig, single);
	// It may have ended by now, and what n8n cannot stop goes on until it is through.
	for (const one of await client.executions(id)) await client.stop(one.id).catch(() => undefined);
	for (let before = -1, now = 0; now > before; now = service.arrivals().length) {
		before = now;
		await sleep(QUIET_MS);
	}
	await rig.untilReady();
	return {
		idle: idle.map(({ wait }) => wait),
		besideList: beside.map(({ wait }) => wait),
		lost: SINGLES - beside.length,
		inBetween: beside.map(({ inBetween }) => inBetween),
	};
}

function besideListTarget({ list, limit }: BesideList, own: readonly BesideListSample[]): Target {
	const inBetween = allOf(own, 'inBetween');
	const lost = sum(own.map((sample) => sample.lost));
	return {
		promise: `A single call beside a list of ${count(list)}, ${allows(limit)}: at most ${MAX_IN_BETWEEN} requests of the list from its event to its call`,
		measured: `${show(inBetween, 0)}, ${lost} lost; ${show(waitRatio(own), 2)} times the wait with nothing else going on`,
		isMet: lost === 0 && inBetween !== undefined && inBetween.max <= MAX_IN_BETWEEN,
	};
}

/** Single calls beside a list: the targets, and the tables. */
export async function measureBesideLists(rig: Rig, isQuick: boolean) {
	const targets: Target[] = [];
	const figures: string[] = [];
	for (const beside of isQuick ? QUICK : LISTS) {
		const { list, limit, rounds, runners } = beside;
		const table = {
			title: `A single call beside a list of ${count(list)}, ${allows(limit)}: ${SINGLES} calls in each of ${rounds} rounds`,
			rounds: [rounds, 1] as const,
			...{ runners, nameOf, columns: COLUMNS },
			run: async (runner: RunnerId) => await runBesideList(rig, beside, runner),
			brief: (sample: BesideListSample, runner: RunnerId) => `${runner} ${JSON.stringify(sample)}`,
		};
		const measured = await measureTable(table, rig.say);
		if (limit !== null) targets.push(besideListTarget(beside, of(measured.samples, 'node')));
		figures.push(measured.figures);
	}
	return { targets, figures };
}
