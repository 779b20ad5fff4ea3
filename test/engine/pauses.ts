import { until } from '../until';

/** Between the looks for a row that is not there yet, in milliseconds: 10, 60 and 300 seconds after the event. */
export const PAUSES = [8_000, 50_000, 240_000] as const;

const begun = new Map<number, AbortController[]>();

/** Lets the pauses between looks for a late row end when a test says so. To be called once for each file. */
export function holdPauses(): void {
	const inTime = AbortSignal.timeout.bind(AbortSignal);
	beforeEach(() => {
		begun.clear();
		AbortSignal.timeout = (time) => {
			if (!PAUSES.some((pause) => pause === time)) return inTime(time);
			const controller = new AbortController();
			begun.set(time, [...(begun.get(time) ?? []), controller]);
			return controller.signal;
		};
	});
	afterEach(() => {
		AbortSignal.timeout = inTime;
	});
}

/** How many wait for this pause to end. */
export const pausing = (pause: number): number => begun.get(pause)?.length ?? 0;

/** Ends the pause for all who wait, at least for so many. */
export async function endPause(pause: (typeof PAUSES)[number], count = 1): Promise<void> {
	await until(() => pausing(pause) >= count);
	const controllers = begun.get(pause) ?? [];
	begun.delete(pause);
	for (const controller of controllers) controller.abort();
}
