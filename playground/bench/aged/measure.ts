import { setTimeout as sleep } from 'node:timers/promises';
import { post } from '../../post';
import { singleCallDraft } from '../burst/workflows';
import type { Cost } from '../nodes/probe';
import { inRounds, sayOf, type Rig } from '../rounds';
import { createTally } from '../trigger/runners';
import { marksIn, type Rows } from './rows';
import { nameOf, VETERANS, type AgedScenario, type Veteran } from './scenarios';

/** The calls of one runner in one round. */
export interface AgedSample {
	/** Its name, with its age. */
	runner: string;
	/** From posting the event to the answer at the end of its execution; of all together if they start at once. */
	milliseconds: number[];
	cost: Cost;
}

/** The marks of a node. */
export interface AgedMarks {
	/** What each of its first calls has left; its age is made by that. */
	perCall: number;
	/** What each call has left while it was measured. */
	perLaterCall: number;
	rows: Rows;
}

export interface AgedMeasurement {
	singles: AgedSample[][];
	bursts: AgedSample[][];
	/** By the name of the runner. */
	marks: Record<string, AgedMarks>;
}

/** Each age is a multiple. */
const FIRST_CALLS = 10;
/** n8n saves an execution after its last node has answered. */
const SAVED_AFTER_MS = 100;
/** The node reads its marks back within this time, and later if its row is long: only its own calls are to meet that. */
const QUIET_AFTER_MS = 2500;
const QUIET_PER_BYTE_MS = 1500 / 1e6;

interface Active extends Veteran {
	id: string;
	url: string;
}

/** Nodes of several ages in one n8n, one at a time, each in a workflow of its own. */
export class AgedBench {
	private called = 0;

	constructor(
		private readonly rig: Rig,
		private readonly userFolder: string,
	) {}

	async measure({ singles, bursts }: AgedScenario): Promise<AgedMeasurement> {
		const { client, service, say } = this.rig;
		await service.prepare({ latencyMs: 0, requestsPerSecond: null });
		const tallyUrl = await createTally(client);
		const active: Active[] = [];
		const marks: AgedMeasurement['marks'] = {};
		for (const veteran of VETERANS) {
			const one = await this.activate(veteran);
			active.push(one);
			marks[nameOf(one)] = await this.grow(one);
		}
		const inAll = async (
			title: string,
			rounds: number,
			call: typeof this.callInTurn,
			calls: number,
		) =>
			await inRounds(
				rounds,
				() => active,
				async (one) => {
					await post(tallyUrl, { step: 'begin' });
					const milliseconds = await call(one, calls);
					const bytes = marks[nameOf(one)]?.rows.bytes ?? 0;
					await sleep(QUIET_AFTER_MS + bytes * QUIET_PER_BYTE_MS);
					const { data } = await post(tallyUrl, { step: 'end' });
					return { runner: nameOf(one), milliseconds, ...(data as { cost: Cost }) };
				},
				sayOf(say, `${calls} calls ${title}`, brief),
			);
		const measured = {
			singles: await inAll('one by one', singles.rounds, this.callInTurn, singles.calls),
			bursts: await inAll('at once', bursts.rounds, this.callAtOnce, bursts.calls),
		};
		const calls = singles.rounds * singles.calls + bursts.rounds * bursts.calls;
		for (const one of active) {
			const known = marks[nameOf(one)];
			const { marks: last } = marksIn(this.userFolder, one.id);
			if (known) known.perLaterCall = (last - known.rows.marks) / calls;
		}
		return { ...measured, marks };
	}

	private async activate(veteran: Veteran): Promise<Active> {
		const { client, service, credential } = this.rig;
		const draft = singleCallDraft(veteran.runner, service, credential, 'lastNode');
		const workflow = await client.createWorkflow(draft.workflow);
		await client.activate(workflow);
		await client.waitForWebhook(draft.path);
		return { ...veteran, id: workflow.id, url: `${client.baseUrl}${draft.path}` };
	}

	/** Gives a node its age: what its first calls have left is there as often as it takes. */
	private async grow(one: Active): Promise<AgedMarks> {
		await this.callInTurn(one, FIRST_CALLS);
		await sleep(QUIET_AFTER_MS);
		const first = marksIn(this.userFolder, one.id, one.age / FIRST_CALLS);
		// At its next call, n8n cuts off what is too much.
		await this.callInTurn(one, 1);
		await sleep(QUIET_AFTER_MS);
		const rows = marksIn(this.userFolder, one.id);
		return { perCall: first.marks / (one.age + FIRST_CALLS), perLaterCall: NaN, rows };
	}

	private readonly callInTurn = async (one: Active, calls: number): Promise<number[]> => {
		const milliseconds: number[] = [];
		while (milliseconds.length < calls) {
			const begin = performance.now();
			await this.call(one);
			milliseconds.push(performance.now() - begin);
			await sleep(SAVED_AFTER_MS);
		}
		return milliseconds;
	};

	private readonly callAtOnce = async (one: Active, calls: number): Promise<number[]> => {
		const begin = performance.now();
		await Promise.all(Array.from({ length: calls }, async () => this.call(one)));
		return [performance.now() - begin];
	};

	/** Calls a number that was never called. */
	private async call({ url }: Active): Promise<void> {
		const to = `+4916${String(this.called++).padStart(8, '0')}`;
		const { status, data } = await post(url, { to });
		const answer = JSON.stringify(data);
		if (status !== 200 || !answer.includes('callId')) throw new Error(`not called: ${answer}`);
	}
}

const brief = ({ runner, milliseconds, cost }: AgedSample): string =>
	`${runner} ${milliseconds.map((time) => time.toFixed(0)).join('/')} ms, freeze ${cost.freezeMilliseconds.toFixed(0)} ms`;
