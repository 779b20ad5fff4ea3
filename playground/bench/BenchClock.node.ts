import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What one run of a runner cost the process of n8n. */
export interface Cost {
	/** From the start of the clock to the end of the runner. */
	milliseconds: number;
	/** The longest time in which nothing else was served. */
	freezeMilliseconds: number;
	/** The longest time on the processor of n8n's main thread at a stretch, without what others took from it. */
	busyMilliseconds: number;
	/** Above what was in use before, after a garbage collection. */
	peakHeapBytes: number;
}

const MEMORY_EVERY_MS = 20;
/** Long enough for the clock of the delay monitor to tick again after the last stretch of work. */
const SETTLE_MS = 50;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** One tick a millisecond. */
const loopDelay = monitorEventLoopDelay({ resolution: 1 });
loopDelay.enable();

/** The Node that runs n8n has it; the types are those of an older one. */
const n8n = process as typeof process & { threadCpuUsage(): NodeJS.CpuUsage };

/** The processor time of this thread, in milliseconds. */
function threadTime(): number {
	const { user, system } = n8n.threadCpuUsage();
	return (user + system) / 1000;
}

let timers: NodeJS.Timeout[] = [];
let finish = async (): Promise<Cost> =>
	await Promise.reject(new Error('The clock was not started'));

/** Starts the clock, when the items are ready. */
async function begin(): Promise<void> {
	timers.forEach(clearInterval);
	collectGarbage();
	// It has to tick once after a reset, or it misses what stands still at the start.
	loopDelay.reset();
	await sleep(SETTLE_MS);
	const heapBefore = process.memoryUsage().heapUsed;
	let peakHeap = heapBefore;
	const sampleMemory = () => {
		peakHeap = Math.max(peakHeap, process.memoryUsage().heapUsed);
	};
	let lastTick = threadTime();
	let longestStretch = 0;
	const tick = () => {
		const now = threadTime();
		longestStretch = Math.max(longestStretch, now - lastTick);
		lastTick = now;
	};
	timers = [setInterval(tick, 1), setInterval(sampleMemory, MEMORY_EVERY_MS)];
	const startedAt = performance.now();
	finish = async () => {
		const endedAt = performance.now();
		sampleMemory();
		await sleep(SETTLE_MS);
		timers.forEach(clearInterval);
		return {
			milliseconds: endedAt - startedAt,
			freezeMilliseconds: loopDelay.max / 1e6,
			busyMilliseconds: longestStretch,
			peakHeapBytes: peakHeap - heapBefore,
		};
	};
}

/** How often each event was executed, by the ID of its call. */
const counts = new Map<unknown, number>();

/** A contact for each of these people; one item if there are none. */
const contactsOf = ({ people = [''], assistantId, fromNumber }: IDataObject): IDataObject[] =>
	(people as string[]).map((to) => ({ assistantId, from: fromNumber, to }));

const description: INodeTypeDescription = {
	displayName: 'Bench Clock',
	name: 'benchClock',
	group: ['transform'],
	version: 1,
	description: 'Measures a run',
	defaults: { name: 'Bench Clock' },
	inputs: ['main'],
	outputs: ['main'],
	properties: [{ displayName: 'Step', name: 'step', type: 'string', default: '' }],
};

/**
 * Measures: "begin" makes contacts and starts the clock, "seen" counts the execution of an event, "count" says how many
 * there were, "end" stops the clock and says what the run cost. The step stands in the node or in what the webhook got.
 */
export class BenchClock implements INodeType {
	description = description;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const input = this.getInputData().map(({ json }) => json);
		const body = (input[0]?.body ?? {}) as IDataObject;
		// Not by getNodeParameter, which costs time that is n8n's.
		const { step: own } = this.getNode().parameters;
		const step = own === '' ? body.step : own;
		const put = (...json: IDataObject[]) => [
			json.map((one) => ({ json: one, pairedItem: { item: 0 } })),
		];
		if (step === 'begin') {
			const contacts = contactsOf(body);
			counts.clear();
			await begin();
			return put(...contacts);
		}
		if (step === 'end') return put({ cost: { ...(await finish()) }, counts: [...counts] });
		if (step === 'count') return put({ executed: [...counts.values()].reduce((a, b) => a + b, 0) });
		for (const { callId = body.callId } of input) counts.set(callId, (counts.get(callId) ?? 0) + 1);
		return put({});
	}
}
