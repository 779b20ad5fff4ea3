import type { INodeExecutionData } from 'n8n-workflow';

import { listFirst, shorten } from '../values';
import { isUnsendable, type Planned } from './planned';
import { IS_EMPTY } from './reading';
import type { FaultyItem } from './request';

/** How many columns are named. */
const MOST_COLUMNS = 10;

/** Says which columns have come in: a field that is empty in all items probably names another one; empty if there are none. */
export function compareColumns([first]: readonly INodeExecutionData[]): string {
	const columns = Object.keys(first?.json ?? {}).map(show);
	return columns.length === 0
		? ''
		: `compare its expression with the columns of the input, ${listFirst(columns, MOST_COLUMNS)}`;
}

/**
 * Adds what to do to the failures of items, if the same value is empty in all items of a list.
 *
 * @param faulty the items that cannot be sent because of an expression
 * @param advice see {@link compareColumns}
 */
export function adviseOnEmpty(
	planned: readonly Planned[],
	faulty: readonly FaultyItem[],
	advice: string,
): readonly Planned[] {
	if (planned.length < 2 || faulty.length < planned.length) return planned;
	const empty = faulty[0]?.problems.find(
		(problem) =>
			problem.endsWith(IS_EMPTY) && faulty.every(({ problems }) => problems.includes(problem)),
	);
	if (empty === undefined || advice === '') return planned;
	const said = `${empty} in all rows: ${advice}`;
	return planned.map((item) =>
		isUnsendable(item)
			? {
					...item,
					failure: { ...item.failure, message: item.failure.message.replace(empty, () => said) },
				}
			: item,
	);
}

/** With the code of what cannot be seen: "\ufeffphone". */
const show = (name: string): string =>
	`"${shorten(name).replaceAll(/(?! )[\p{C}\p{Z}]/gu, (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)}"`;
