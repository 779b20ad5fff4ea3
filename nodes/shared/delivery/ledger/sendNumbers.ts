import type { IDataObject } from 'n8n-workflow';

import { isObject, toPlainText } from '../../values';

const STORE_KEY = 'sendNumbers';

/** How many characters of a digest tell the subjects of one execution apart. */
const KEY_LENGTH = 10;

/** A subject and one of its numbers. */
export interface Numbered {
	/** A digest of whom an item reaches, or else of its request. */
	readonly subject: string;
	readonly ordinal: number;
}

/** The numbers of a subject. */
interface Numbers {
	readonly taken: Set<number>;
	/** The lowest that may be free. */
	next: number;
}

/**
 * Numbers what an execution sends to the same recipient, or else with the same request, over all runs of a node: 0, 1,
 * 2 and so on. What was certainly not sent gives its number back at the end of its run, and a later run takes the lowest
 * that is free. So as many items of a retry as were sent before have the numbers of what was sent, in whichever runs
 * they come.
 *
 * The numbers live in n8n's context of the node: they outlive a Wait node, and n8n hands them to a retry that goes on
 * where the execution ended. They take about 12 bytes for each item that was sent.
 */
export class SendNumbers {
	/** What earlier runs have sent, as it is saved. */
	private readonly earlier: string;

	private readonly numbers: Map<string, Numbers>;

	/**
	 * @param store n8n's context of the node
	 * @param run of this execution; one that n8n runs again begins anew
	 */
	constructor(
		private readonly store: IDataObject,
		private readonly run: string,
	) {
		const saved = store[STORE_KEY];
		const { run: lastRun, earlier, latest } = isObject(saved) ? saved : {};
		this.earlier = toPlainText(earlier) + (lastRun === run ? '' : toPlainText(latest));
		this.numbers = parse(this.earlier);
	}

	/**
	 * Gives a number to an item of this run, the lowest that is free. To be called in the order of the items.
	 *
	 * @param known the number that it has already. To be called first of all for items with one
	 */
	take(subject: string, known?: number): Numbered {
		const numbers = numbersOf(this.numbers, keyOf(subject));
		while (numbers.taken.has(numbers.next)) numbers.next++;
		const ordinal = known ?? numbers.next;
		numbers.taken.add(ordinal);
		return { subject, ordinal };
	}

	/** To be called at the end of the run with what may have been sent: the other numbers are free again. */
	keep(sent: readonly Numbered[]): void {
		const latest = sent.map(({ subject, ordinal }) => `${keyOf(subject)}${ordinal},`).join('');
		const { run, earlier } = this;
		this.store[STORE_KEY] = { run, earlier, latest };
	}
}

const keyOf = (subject: string): string => subject.slice(0, KEY_LENGTH);

function numbersOf(all: Map<string, Numbers>, key: string): Numbers {
	const numbers = all.get(key) ?? { taken: new Set<number>(), next: 0 };
	all.set(key, numbers);
	return numbers;
}

function parse(saved: string): Map<string, Numbers> {
	const all = new Map<string, Numbers>();
	for (const one of saved.split(',')) {
		if (one !== '')
			numbersOf(all, one.slice(0, KEY_LENGTH)).taken.add(Number(one.slice(KEY_LENGTH)));
	}
	return all;
}
