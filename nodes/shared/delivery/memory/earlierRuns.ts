/** What a node has done in the runs of this execution before this one. */
export interface EarlierRuns {
	/** The first run that counts: those before it ended before n8n loaded the execution, as after a Wait node. */
	readonly first: string;
	/** How many items of the runs since then have this subject: whom they reach, or else their request. */
	count(subject: string): number;
}

interface Execution {
	readonly first: string;
	readonly counts: Map<string, number>;
	/** The latest run, which is not counted yet: Retry On Fail runs it again. */
	run: string;
	subjects: readonly string[];
}

const executions = new WeakMap<object, Execution>();

/**
 * Counts on from run to run of a node.
 *
 * @param store n8n's context of the node: one object as long as n8n has the execution loaded
 * @param subjects of this run, one for each item
 */
export function countEarlierRuns(
	store: object,
	run: string,
	subjects: readonly string[],
): EarlierRuns {
	const known = executions.get(store);
	const execution: Execution = known ?? { first: run, counts: new Map(), run, subjects };
	executions.set(store, execution);
	const { first, counts } = execution;
	if (execution.run !== run) {
		for (const one of execution.subjects) counts.set(one, (counts.get(one) ?? 0) + 1);
	}
	execution.run = run;
	execution.subjects = subjects;
	return { first, count: (subject) => counts.get(subject) ?? 0 };
}
