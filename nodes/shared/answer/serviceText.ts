import type { FailureKind } from './failure';
import type { RequestProperties } from './answerRules';
import { isContainer } from '../values';

type KindTexts = readonly (readonly [RegExp, FailureKind])[];

/** A text as its words in lower case, with one space before, between and after them: " api key not valid ". */
type Words = string;

/** Finds a text of S 7 as whole words. The texts themselves have no repetition without a bound. */
const wholeWords = (text: RegExp): RegExp => new RegExp(` (?:${text.source})(?= )`, 'g');

const kindTexts = (...rows: [RegExp, FailureKind][]): KindTexts =>
	rows.map(([text, kind]) => [wholeWords(text), kind]);

/** Texts that mean the same whatever the status is (S 5, S 7). */
export const TEXTS_BEFORE_STATUS = kindTexts(
	[
		/api ?key (?:you )?(?:provided |supplied )?(?:is |was )?(?:not valid|invalid)|(?:invalid|not a valid) api ?key/,
		'invalidApiKey',
	],
	[
		/no api ?key|missing api ?key|api ?key (?:is |was )?missing|authori[sz]ation (?:is |was )?denied/,
		'missingApiKey',
	],
	[
		/account upgrade(?: (?:is )?(?:needed|required))?(?: to continue)?|upgrade (?:is )?(?:needed|required)|upgrade (?:your|the) (?:account|plan)/,
		'upgradeRequired',
	],
	[/more than 24 hours|window (?:is|has|was) closed/, 'windowClosed'],
	[/has not (?:yet )?responded|window is not (?:yet )?open/, 'windowNotOpen'],
);

/** Texts of errors whose status the specification does not show (S 7.2). */
export const TEXTS_AFTER_STATUS = kindTexts(
	[
		/no msgapp phone number(?: ids?)?(?: (?:is|are) found for the workspace)?(?: phone numbers must be added first)?/,
		'noSenderNumber',
	],
	[/do(?:es)? not exist|not (?:be )?found/, 'notFound'],
	[/(?<=^ (?:error |[45]\d\d |access |request ){0,3})forbidden/, 'forbidden'],
	[/(?:internal )?server error|failed to retrieve model settings/, 'serviceError'],
	[/bad request|invalid input|invalid workspace or assistant ids?/, 'invalidInput'],
);

const ALL_TEXTS = [...TEXTS_BEFORE_STATUS, ...TEXTS_AFTER_STATUS];

/**
 * The words of which the texts of S 7 and what stands around them are made. No word of a confirmation is among them,
 * such as sent, created, added, placed, queued or triggered.
 */
const WORDS_OF_ERRORS = new Set(
	`a an and are as at be been but by can cannot could for from had has have if in is it its of on only or our please so
	that the their then there this to until was we were with yet you your
	access account again api assistant authorisation authorization base check closed code contact continue conversation
	customer denied due error errors failed first header hours http id ids identifier input internal invalid key
	knowledge last later message missing needed no non not number numbers occurred open paragraph passed phone plan
	provided reason request required resource responded send server service since status supplied support template try
	unauthorized upgrade user valid window workspace x`.split(/\s+/),
);

/** The status of an error, which may stand before its text (S 7). */
const ERROR_STATUS = /^[45]\d\d$/;

/** How much of a text is read, in characters. */
const MAX_LENGTH = 10_000;

/**
 * A text of the service, read without the values of the request that it repeats: a campaign named like an error is not
 * taken for one. A value is recognised where its words appear in the same order. At most 1,000 values of the request and
 * 10,000 characters of the text are read.
 */
export class ServiceText {
	private readWords: Words | undefined;

	private own: Uint8Array | undefined;

	/**
	 * @param properties what was sent; all texts in it, however deep, are the request's own values
	 */
	constructor(
		private readonly text: string,
		private readonly properties: RequestProperties,
	) {}

	/** The first kind one of whose texts occurs. */
	kindIn(kinds: KindTexts = ALL_TEXTS): FailureKind | undefined {
		return kinds.find(([pattern]) => this.find(pattern).length > 0)?.[1];
	}

	/** The kind of a text in which nothing remains but the texts of errors and the words around them. */
	kindOfWhole(): FailureKind | undefined {
		const kind = this.text.length <= MAX_LENGTH ? this.kindIn() : undefined;
		if (kind === undefined) return undefined;
		const explained = this.ownValues().slice();
		for (const [pattern] of ALL_TEXTS) {
			for (const { index, 0: found } of this.find(pattern)) {
				explained.fill(1, index, index + found.length);
			}
		}
		const rest = [...this.words.matchAll(/\S+/g)].filter(({ index }) => explained[index] === 0);
		const isError = rest.every(([word]) => WORDS_OF_ERRORS.has(word) || ERROR_STATUS.test(word));
		return isError ? kind : undefined;
	}

	/** Where the texts of a kind occur and are not, as a whole, a value of the request. */
	private find(pattern: RegExp): RegExpExecArray[] {
		// Nearly all texts are confirmations, for which this is enough.
		if (this.words.search(pattern) < 0) return [];
		return [...this.words.matchAll(pattern)].filter(({ index, 0: found }) =>
			this.ownValues()
				.subarray(index, index + found.length)
				.includes(0),
		);
	}

	private get words(): Words {
		this.readWords ??= wordsOf(this.text.slice(0, MAX_LENGTH));
		return this.readWords;
	}

	/** 1 for each character that belongs to a value of the request. */
	private ownValues(): Uint8Array {
		this.own ??= markValues(this.words, this.properties);
		return this.own;
	}
}

function markValues(words: Words, properties: RequestProperties): Uint8Array {
	const own = new Uint8Array(words.length);
	for (const value of new Set(textsIn(properties).map(wordsOf))) {
		if (value === NO_WORDS) continue;
		// The space after a value is also the one before the next.
		const step = value.length - 1;
		for (let at = words.indexOf(value); at >= 0; at = words.indexOf(value, at + step)) {
			own.fill(1, at, at + value.length);
		}
	}
	return own;
}

const NO_WORDS: Words = ' ';

function wordsOf(text: string): Words {
	const plain = text.toLowerCase().replace(/n['’]t(?![\p{L}\p{N}])/gu, ' not ');
	return ` ${plain} `.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
}

/** How many texts of a request are looked for in an answer: each takes time in proportion to the answer. */
const MAX_VALUES = 1_000;

/** The first texts in a value, those on top before what is nested, which may be deeper than the stack goes. */
function textsIn(value: unknown): string[] {
	const texts: string[] = [];
	const waiting = [value];
	for (let next = 0; next < waiting.length && texts.length < MAX_VALUES; next++) {
		const part = waiting[next];
		if (typeof part === 'string') texts.push(part);
		else if (isContainer(part)) for (const inner of Object.values(part)) waiting.push(inner);
	}
	return texts;
}
