import * as n8n from 'n8n-workflow';

import { isObject, toPlainText } from './values';

/** What n8n tells a node about its run. Where versions of n8n differ, only this file asks. */
export interface Host {
	/** The node as it is set up. */
	readonly node: n8n.INode;
	/** See {@link nameOfNode}. */
	readonly nodeName: string;
	/** Empty where n8n gives none. */
	readonly workflowId: string;
	/** n8n's log. By default n8n prints the text alone. */
	readonly logger: Pick<n8n.Logger, 'info' | 'warn'>;
	/** Shows a hint in the output panel. */
	readonly addHint: (hint: n8n.NodeExecutionHint) => void;
	readonly toolHost: ToolHost | undefined;
	/** Empty where n8n gives none, as for some tools. */
	readonly executionId: string;
	/** The node's run in this execution: `0`, more in a loop. Retries after a crash begin at `0`. */
	readonly runIndex: string;
	/** True if this execution is the retry of another one. */
	readonly isRetry: boolean;
	/** True if another workflow runs this one. A retry of that one does so anew. */
	readonly isSubWorkflow: boolean;
	/** Shared by an execution and its retries alone. Empty for some tools, and before n8n 2.14. */
	readonly retryToken: string;
	/** How often n8n runs the node for the same items at most. */
	readonly maxTries: number;
}

/** n8n does not tell a node its version. This class was added in 2.35. */
const IS_SINCE_2_35 = 'NodeVersionNotFoundError' in n8n;

/**
 * Who runs the node as a tool. `engine`: n8n's engine from 2.35 on, for the AI Agent from version
 * 3, which reads the message of an error. `agent`: all others. Some of them ignore an error, in
 * others it ends the whole execution, so they get what failed as an item.
 */
export type ToolHost = 'engine' | 'agent';

export function readHost(context: n8n.IExecuteFunctions): Host {
	const node = context.getNode();
	const { retryOnFail, maxTries = 0 } = node;
	// As n8n counts: 0 stands for 3.
	const tries = Math.min(5, Math.max(2, maxTries === 0 ? 3 : maxTries));
	const toolHost = readToolHost(context);
	const isRetry = context.getMode() === 'retry';
	return {
		node,
		nodeName: nameOfNode(context),
		workflowId: context.getWorkflow().id ?? '',
		logger: context.logger,
		addHint: context.addExecutionHints.bind(context),
		toolHost,
		executionId: toPlainText(context.getExecutionId()),
		runIndex: readRunIndex(context, isRetry && toolHost === undefined),
		isRetry,
		isSubWorkflow: context.getMode() === 'integrated',
		// The token with which an execution can be resumed is handed on to its retries.
		retryToken: readResumeUrl(context).split('?')[1] ?? '',
		maxTries: retryOnFail === true ? tries : 1,
	};
}

/**
 * Reads the run index, less the run that n8n recovers from its event log after a crash: a retry
 * starts anew, and n8n counts that run as the first. It recovers one run of each node: with an
 * artificial item if the node had ended, without any data if it had not.
 */
function readRunIndex(context: n8n.IExecuteFunctions, mayBeRecovered: boolean): string {
	const runIndex = toPlainText(context.evaluateExpression('{{ $runIndex }}', 0));
	const isLater = mayBeRecovered && Number(runIndex) > 0;
	return isLater && isFirstRunRecovered(context) ? String(Number(runIndex) - 1) : runIndex;
}

function isFirstRunRecovered(context: n8n.IExecuteFunctions): boolean {
	const proxy: { $items: (node: string, output: number, run: number) => unknown } =
		context.getWorkflowDataProxy(0);
	let items: unknown;
	try {
		items = proxy.$items(context.getNode().name, 0, 0);
	} catch {
		// n8n throws for a run without data. It is no failed round: after one the node does not run on.
		return true;
	}
	const first: unknown = Array.isArray(items) ? items.at(0) : undefined;
	return isObject(first) && isObject(first.json) && 'isArtificialRecoveredEventItem' in first.json;
}

function readToolHost(context: n8n.IExecuteFunctions): ToolHost | undefined {
	const { type, rewireOutputLogTo } = context.getNode();
	const isOfEngine = rewireOutputLogTo === n8n.NodeConnectionTypes.AiTool;
	if (isOfEngine && IS_SINCE_2_35) return 'engine';
	// Since n8n 2.3.
	const isOfAgent = 'isToolExecution' in context && context.isToolExecution();
	// For AI agents, n8n makes a node type of its own, with a name like this.
	return isOfEngine || type.endsWith('Tool') || isOfAgent ? 'agent' : undefined;
}

/** Gives what n8n saves of the node with its execution; its Agents run a tool outside of any. */
export const readSaved = (context: n8n.IExecuteFunctions): n8n.IContextObject =>
	context.getMode() === 'internal' ? {} : context.getContext('node');

/** Names a node among all those of an n8n. */
export const nameOfNode = (context: Pick<n8n.FunctionsBase, 'getWorkflow' | 'getNode'>): string =>
	`${context.getWorkflow().id ?? ''} ${context.getNode().id}`;

/** Reads where the execution can be resumed; in a trigger, the address of none. */
export const readResumeUrl = (context: n8n.IExecuteFunctions | n8n.IWebhookFunctions): string =>
	toPlainText(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));

/**
 * Says whether n8n takes an output for a failure, and so tries a node with Retry On Fail again: by
 * `error` of the first item alone. `null` and `false` are errors up to 2.20, and not from 2.30 on.
 */
export const countsAsFailed = (first: Readonly<Record<string, unknown>> | undefined): boolean =>
	first?.error !== undefined;

/**
 * Whether n8n sends an item with nothing but `error` and `details` to the error output; before, it
 * takes `error` and `message` alone.
 */
export const ERROR_OUTPUT_TAKES_DETAILS = IS_SINCE_2_35;
