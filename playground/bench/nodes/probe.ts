import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What one run of a runner cost the process of n8n. */
export interface Cost {
	/** From the end of the item source to the end of the runner. */
	milliseconds: number;
	/** The time on the processor, of all threads: what other programs take is not in it. */
	cpuMilliseconds: number;
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

let lastTick = threadTime();
let longestStretch = 0;

function tick(): void {
	const now = threadTime();
	longestStretch = Math.max(longestStretch, now - lastTick);
	lastTick = now;
}

interface Begun {
	startedAt: number;
	cpu: NodeJS.CpuUsage;
	heapBefore: number;
	peakHeap: number;
	timers: NodeJS.Timeout[];
}

let begun: Begun | undefined;

/** Called by the item source when its items are ready. */
export async function begin(): Promise<void> {
	begun?.timers.forEach(clearInterval);
	collectGarbage();
	// It has to tick once after a reset, or it misses what stands still at the start.
	loopDelay.reset();
	await sleep(SETTLE_MS);
	const { heapUsed } = process.memoryUsage();
	const current: Begun = {
		startedAt: 0,
		cpu: process.cpuUsage(),
		heapBefore: heapUsed,
		peakHeap: heapUsed,
		timers: [
			setInterval(tick, 1),
			setInterval(() => {
				sampleMemory(current);
			}, MEMORY_EVERY_MS),
		],
	};
	begun = current;
	lastTick = threadTime();
	longestStretch = 0;
	current.startedAt = performance.now();
}

/** Called by the node after the runner. */
export async function end(): Promise<Cost> {
	const endedAt = performance.now();
	if (!begun) throw new Error('The item source did not run');
	const { startedAt, cpu, heapBefore, timers } = begun;
	const { user, system } = process.cpuUsage(cpu);
	sampleMemory(begun);
	await sleep(SETTLE_MS);
	timers.forEach(clearInterval);
	const freezeMilliseconds = loopDelay.max / 1e6;
	return {
		milliseconds: endedAt - startedAt,
		cpuMilliseconds: (user + system) / 1000,
		freezeMilliseconds,
		busyMilliseconds: longestStretch,
		peakHeapBytes: begun.peakHeap - heapBefore,
	};
}

function sampleMemory(run: Begun): void {
	const { heapUsed } = process.memoryUsage();
	run.peakHeap = Math.max(run.peakHeap, heapUsed);
}
