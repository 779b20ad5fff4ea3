import type { IDataObject } from 'n8n-workflow';

import type { BookAccess } from '../book/tableApi';
import type { Operation } from '../declaration/operation';
import type { Host } from '../host';
import type { Mode } from '../service/credential';
import type { Item } from '../items/item';
import type { Rules } from '../rules/rules';
import type { Waiting } from '../waiting/calls';
import type { Deduplication } from './markWriter';

/** A run of the node, read and checked: what its memory and its output go by. */
export interface Run {
	readonly host: Host;
	readonly operation: Operation;
	/** E.g. `call.place`. */
	readonly operationName: string;
	readonly mode: Mode;
	/** What makes the run check only; absent if it sends. */
	readonly checkedBy?: 'mode' | 'option';
	/** Absent if the credential has no contact book, or the operation no use for it. */
	readonly book?: BookAccess;
	/** What n8n saves of the node with its execution. */
	readonly saved: IDataObject;
	/** What n8n keeps of what the node has seen, over all executions. */
	readonly deduplication: Deduplication;
	/** Absent if the run does not wait for the ends of its calls. */
	readonly waiting?: Waiting;
	readonly rules: Rules;
	readonly items: readonly Item[];
	/** Aborted when nothing more is to start. */
	readonly signal: AbortSignal;
	readonly cancelSignal?: AbortSignal;
}
