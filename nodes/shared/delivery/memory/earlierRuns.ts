/** Whom a node has reached in the runs of this execution before this one. */
export interface EarlierRuns {
	/** The first run that counts: those before it ended before n8n loaded the execution, as after a Wait node. */
	readonly first: string;
	/** How many items of the runs since then reach this recipient. */
	count(recipient: string): number;
}

interface Execution {
	readonly first: string;
	readonly counts: Map<string, number>;
	/** The latest run, which is not counted yet: Retry On Fail runs it again. */
	run: string;
	recipients: readonly string[];
}

const executions = new WeakMap<object, Execution>();

/**
 * Counts on from run to run of a node.
 *
 * @param store n8n's context of the node: one object as long as n8n has the execution loaded
 * @param recipients whom this run reaches, once for each item
 */
export function countEarlierRuns(
	store: object,
	run: string,
	recipients: readonly string[],
): EarlierRuns {
	const known = executions.get(store);
	const execution = known ?? { first: run, counts: new Map<string, number>(), run, recipients };
	const { first, counts } = execution;
	if (execution.run !== run) {
		for (const one of execution.recipients) counts.set(one, (counts.get(one) ?? 0) + 1);
	}
	executions.set(store, Object.assign(execution, { run, recipients }));
	return { first, count: (recipient) => counts.get(recipient) ?? 0 };
}
