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

/** The calls of the events that were executed, an entry for each time. */
let executed: unknown[] = [];

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
 * Measures: "begin" starts the clock and puts out the posted items, "seen" notes that the event of a call is executed,
 * "count" says which were, "end" stops the clock and says what the run cost. The step stands in the node or in what the
 * webhook got.
 */
export class BenchClock implements INodeType {
	description = description;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const input = this.getInputData().map(({ json }) => json);
		const body = (input[0]?.body ?? {}) as IDataObject;
		// Not by getNodeParameter, which costs time that is n8n's.
		const { parameters } = this.getNode();
		const step = parameters.step === '' ? body.step : parameters.step;
		const put = (...all: IDataObject[]) => [all.map((json) => ({ json, pairedItem: { item: 0 } }))];
		if (step === 'begin') {
			executed = [];
			await begin();
			return put(...((body.items ?? [{}]) as IDataObject[]));
		}
		if (step === 'end') return put({ ...(await finish()) });
		if (step === 'count') return put({ executed });
		for (const { callId } of input) executed.push(callId ?? body.callId);
		return put({});
	}
}
