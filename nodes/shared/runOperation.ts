import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import type { Resource } from './declaration/operation';
import { check, deliver } from './delivery/deliver';
import { openMemory } from './delivery/openMemory';
import { gateOf } from './gate/gate';
import { countsAsFailed } from './host';
import { isSendable } from './items/item';
import { outputItems } from './output/outputItems';
import { readRun } from './readRun';
import { normalizeBaseUrl } from './service/baseUrl';
import { createTransport } from './service/transport';
import { digest, toPlainText } from './values';
import { USUAL_WAIT } from './waiting/calls';
import { openRows } from './waiting/rowsOfWait';
import { waitForCalls } from './waiting/waitForCalls';

/**
 * Runs the chosen operation for all items of the node: reads and checks all of them, delivers them,
 * and outputs what came back, in the order of the items.
 *
 * @throws NodeApiError | NodeOperationError of the first failed item, unless the node continues
 */
export async function runOperation(context: IExecuteFunctions, resources: readonly Resource[]) {
	const run = await readRun(context, resources);
	const { host, items, checkedBy, credential, halt, cancelSignal, waiting, book } = run;
	const { memory, notes, missing } = await openMemory(run);
	const { options } = items.find(isSendable) ?? {};
	// Without an item that can be sent there is nothing to check: the run fails as in live mode.
	const isChecked = checkedBy !== undefined && options !== undefined;
	const outcomes = isChecked
		? await check(memory)
		: await deliver({
				memory,
				transport: createTransport(context, credential),
				gate: gateOf(gateName(credential)),
				rules: run.rules,
				stopOnFailure: run.stopOnFailure,
				halt,
				signal: run.signal,
				cancelSignal,
				maxConcurrentRequests: options?.maxConcurrentRequests ?? 1,
				requestsPerSecond: options?.requestsPerSecond ?? 0,
			});
	// Ends `signal`: until it calls its last listeners, Node keeps them in memory with all they hold.
	halt.abort();
	const output = await outputItems({ ...run, memory, notes, missing, outcomes });
	// A run that stops on a failure has thrown by now, and keeps its notes.
	const isTriedAgain = countsAsFailed(output[0]?.json) && notes.tries < host.maxTries;
	// One that only checks sends nothing, so that what an earlier try has sent must stay known.
	if (!isTriedAgain && (!isChecked || !notes.wasSaved)) notes.clear();
	const isOver = isTriedAgain || memory.isBarred || cancelSignal?.aborted === true;
	if (!waiting || !book || checkedBy !== undefined || isOver) return [output];
	return [
		await waitForCalls(context, {
			waiting,
			open: async () => await openRows(book),
			items: output,
			isLaterTry: host.isRetry || notes.tries > 1,
			waitAtMost: options?.waitAtMost ?? USUAL_WAIT,
		}),
	];
}

/** Names the gate of a run: the service limits runs with one address and API key together. */
const gateName = ({ baseUrl, apiKey }: ICredentialDataDecryptedObject): string =>
	digest(`${normalizeBaseUrl(toPlainText(baseUrl))} ${toPlainText(apiKey)}`);
