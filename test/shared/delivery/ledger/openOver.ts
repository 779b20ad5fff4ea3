import type { IDataObject } from 'n8n-workflow';

import { Count } from '../../../../nodes/shared/delivery/ledger/count';
import { Ledger } from '../../../../nodes/shared/delivery/ledger/ledger';
import type { LedgerOptions } from '../../../../nodes/shared/delivery/ledger/ledgerOptions';
import { Marks } from '../../../../nodes/shared/delivery/ledger/marks';
import type { MarkStore } from '../../../../nodes/shared/delivery/ledger/markStore';
import { Notes, type RunIdentity } from '../../../../nodes/shared/delivery/ledger/notes';
import type { OpenLedger } from '../../../../nodes/shared/delivery/ledger/open';
import { Rules } from '../../../../nodes/shared/delivery/ledger/rules';
import type { RunResult } from '../../../../nodes/shared/delivery/result';
import type { Planned } from '../../../../nodes/shared/request/planned';

/** What is said of a run; the rest is that of the first run of an execution. */
export interface RunOptions
	extends Partial<RunIdentity>, Partial<Pick<LedgerOptions, 'signal' | 'cancel'>> {
	/** n8n's context of the node. */
	readonly saved?: IDataObject;
	/** False for a run that makes no marks of what it sends. */
	readonly hasMarks?: boolean;
}

let nodes = 0;

/**
 * Opens the ledger of a run over a store of marks, as `open.ts` does it with those of n8n. A run whose node is not named
 * knows what is in the store and in what n8n has saved, and nothing of other runs: as after a restart.
 */
export function openOver(
	store: MarkStore,
	planned: readonly Planned[],
	options: RunOptions = {},
): OpenLedger {
	const { isRetry = false, isTool = false, origin = 'e1', runIndex = '0', saved = {} } = options;
	const { executionId = isRetry ? 'a retry' : 'the first', nodeId = `node ${++nodes}` } = options;
	const { signal = new AbortController().signal, cancel, hasMarks = !isTool } = options;
	const identity = { executionId, isRetry, nodeId, runIndex, isTool, origin, isAlone: true };
	const isSafe = planned.some(({ operation }) => operation.repeatable);
	const count = new Count(hasMarks && !isSafe ? saved : {}, runIndex);
	const notes = new Notes(saved, identity, planned, count);
	const marks = new Marks(origin, planned, notes, count, isRetry);
	const ledger = new Ledger(planned, {
		notes,
		...(hasMarks && !isSafe && { marks }),
		rules: new Rules(planned, 'UTC'),
		store,
		isRetry,
		signal,
		cancel,
	});
	return { ledger, notes };
}

/** Why an item is not to be sent; `undefined` if it may be. */
export async function resultOf(ledger: Ledger, index = 0): Promise<RunResult | undefined> {
	await ledger.prepare(index);
	const beginning = await ledger.begin(index);
	if (beginning === 'send') return undefined;
	if ('waitFor' in beginning) throw new Error(`Item ${index} waits for another one`);
	return beginning.result;
}

/** Sends an item that may be sent; gives what became of it. */
export async function send(ledger: Ledger, result: RunResult, index = 0): Promise<RunResult> {
	const known = await resultOf(ledger, index);
	return ledger.end(index, known ?? ledger.aboutToSend(index) ?? result);
}
