import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What one run of a runner cost the process of n8n. */
export interface Cost {
	/** From the end of the item source to the end of the runner. */
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
	await Promise.reject(new Error('The item source did not run'));

/** Called by the item source when its items are ready. */
export async function begin(): Promise<void> {
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

/** Called by the node after the runner. */
export const end = async (): Promise<Cost> => await finish();
