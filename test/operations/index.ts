import { assistant } from './assistant';
import { call } from './call';
import { campaign } from './campaign';
import { chat } from './chat';
import { knowledgeBase } from './knowledgeBase';
import { msgapp } from './msgapp';
import { casesOf, pathOf, type OperationRow } from './row';
import { sms } from './sms';

const RESOURCES = { assistant, call, campaign, chat, knowledgeBase, msgapp, sms };

/** The one table of operations: each of them once, in the order of the menu's resources. */
export const OPERATION_ROWS = Object.entries(RESOURCES).flatMap(([resource, entries]) =>
	Object.entries(entries).map(([operation, entry]): OperationRow => ({
		resource,
		operation,
		...entry,
	})),
);

export const OPERATION_CASES = OPERATION_ROWS.flatMap(casesOf);

export function rowOf(path: string): OperationRow {
	const row = OPERATION_ROWS.find((one) => pathOf(one) === path);
	if (row === undefined) throw new Error(`test/operations has no row for ${path}`);
	return row;
}
