import type { IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../../declaration/operation';
import { rulesField } from '../../declaration/options';
import { MARKS_PER_CONTACT } from './contactMarks';
import { ContactMemory } from './contactMemory';
import { KEPT_CONTACTS } from './contacts';
import { CrashMemory, type MarkNames } from './crashMemory';
import { ExecutionMemory } from './executionMemory';
import { createMarkStore } from './markStore';
import { plansOf, type Planned } from '../../request/planned';
import { SendNumbers } from './sendNumbers';
import type { Host } from '../../host';
import { isObject } from '../../values';

/** The name for marks in an n8n without retry tokens: all executions of a node share it. */
const ANY_EXECUTION = 'any';

/** What a run remembers of earlier ones. */
export interface Memories {
	readonly executionMemory: ExecutionMemory;
	/** Absent if the operation is safe to repeat, and for a tool: after a crash, an agent begins a new conversation. */
	readonly crashMemory?: CrashMemory;
	readonly contactMemory: ContactMemory;
}

/** @param mode of the credential: contacts of one mode do not count for another */
export function openMemories(
	context: IExecuteFunctions,
	operation: Operation,
	host: Host,
	mode: string,
	planned: readonly Planned[],
): Memories {
	const plans = plansOf(planned);
	const { executionId, isRetry, runIndex, retryToken, tool } = host;
	const nodeId = context.getNode().id;
	const saved = context.getContext('node');
	const executionMemory = new ExecutionMemory(
		saved,
		{
			executionId,
			isRetry,
			runIndex,
			nodeId,
			isTool: tool !== undefined,
			origin: retryToken === '' ? executionId : retryToken,
		},
		planned,
	);
	const store = createMarkStore(context, plans.length, contactMarks(context, plans.length));
	const openCrashMemory = (): CrashMemory => {
		const numbers = new SendNumbers(saved, runIndex);
		const names = namesOf(host, executionMemory);
		return new CrashMemory(store, names, planned, numbers, host.isRetry);
	};
	const hasCrashMemory = !operation.repeatable && tool === undefined;
	const node = `${context.getWorkflow().id ?? ''} ${nodeId} ${mode}`;
	return {
		executionMemory,
		...(hasCrashMemory && { crashMemory: openCrashMemory() }),
		contactMemory: new ContactMemory(store, node, plans),
	};
}

/**
 * Without a retry token, the execution that a retry continues is not known. If nothing was saved of it (n8n died, or an
 * earlier node failed), an item that any execution has sent before counts as sent.
 */
function namesOf({ retryToken, runIndex }: Host, { origin, isLost }: ExecutionMemory): MarkNames {
	const own = `${origin} ${runIndex}`;
	return retryToken !== ''
		? { own: [own], earlier: own, execution: origin }
		: { own: [own, ANY_EXECUTION], earlier: isLost ? ANY_EXECUTION : own };
}

/** The same for all runs of a node as it is saved, whatever an expression gives. */
function contactMarks(context: IExecuteFunctions, items: number): number {
	const rules: unknown = context.getNode().parameters[rulesField.property.name];
	const remembersContacts = isObject(rules) && Boolean(rules.notAgainWithin);
	return remembersContacts ? MARKS_PER_CONTACT * Math.max(KEPT_CONTACTS, 2 * items) : 0;
}
