import type { Operation } from '../declaration/operation';
import type { RunResult } from './memory/entry';

/** What was not accepted, in the order of the summary. */
const OTHERS = ['checked', 'held back', 'refused', 'not sent', 'unknown'];

const OUTCOMES = { refused: 'refused', notSent: 'not sent', unknown: 'unknown' } as const;

/** Counts what became of the items: "Of 500 items: 471 placed, 12 queued, 9 held back, 6 refused, 2 unknown". */
export function summarize(
	operation: Pick<Operation, 'done'>,
	results: readonly RunResult[],
): string {
	const counts = new Map<string, number>();
	for (const result of results) {
		const word = wordFor(operation, result);
		counts.set(word, (counts.get(word) ?? 0) + 1);
	}
	const accepted = [...counts.keys()].filter((word) => !OTHERS.includes(word)).sort();
	const parts = [...accepted, ...OTHERS].flatMap((word) => {
		const count = counts.get(word);
		return count === undefined ? [] : [`${count} ${word}`];
	});
	return `Of ${results.length} ${results.length === 1 ? 'item' : 'items'}: ${parts.join(', ')}`;
}

function wordFor({ done }: Pick<Operation, 'done'>, result: RunResult): string {
	if ('checked' in result) return 'checked';
	if ('heldBack' in result) return 'held back';
	if (!result.accepted) return OUTCOMES[result.failure.outcome];
	return typeof done === 'string' ? done : done(result.body);
}
