/** How often each event was executed, and when the last one was. */
export interface Executions {
	counts: [event: string, times: number][];
	/** Milliseconds since the epoch. */
	lastAt: number;
}

let counts = new Map<string, number>();
let lastAt = 0;

/** Called once in each execution. */
export function countExecution(event: string): void {
	counts.set(event, (counts.get(event) ?? 0) + 1);
	lastAt = Date.now();
}

/** What was counted since it was last forgotten. */
export const executions = (): Executions => ({ counts: [...counts], lastAt });

export function forgetExecutions(): void {
	counts = new Map();
	lastAt = 0;
}
