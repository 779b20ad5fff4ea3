import type { FailureKind } from './failure';

/** A text of S 5 or S 7 in the words of {@link wordsOf}; it has no repetition without a bound. */
type RefusalText<Kind = FailureKind> = readonly [text: RegExp, kind: Kind];

/** Kinds of which nothing was done, whatever the status is. */
type CertainKind = Extract<
	FailureKind,
	'invalidApiKey' | 'missingApiKey' | 'upgradeRequired' | 'windowClosed' | 'windowNotOpen'
>;

const refusal = <Kind extends FailureKind>(text: RegExp, kind: Kind): RefusalText<Kind> => [
	new RegExp(` (?:${text.source})(?= )`, 'g'),
	kind,
];

/** Texts that mean the same whatever the status is. */
export const BEFORE_STATUS: readonly RefusalText<CertainKind>[] = [
	refusal(/api ?key (?:you )?(?:provided )?(?:is |was )?(?:not valid|invalid)/, 'invalidApiKey'),
	refusal(/(?:invalid|not a valid) api ?key/, 'invalidApiKey'),
	refusal(/no api ?key|authori[sz]ation (?:is |was )?denied/, 'missingApiKey'),
	refusal(/upgrade (?:is )?(?:needed|required)/, 'upgradeRequired'),
	refusal(/upgrade (?:your|the) (?:account|plan)/, 'upgradeRequired'),
	refusal(/more than 24 hours|window (?:is|has|was) closed/, 'windowClosed'),
	refusal(/has not (?:yet )?responded|window is not (?:yet )?open/, 'windowNotOpen'),
];

/** Texts of errors whose status the specification does not show (S 7.2). */
export const AFTER_STATUS: readonly RefusalText[] = [
	refusal(/no msgapp phone number(?: ids?)?|phone numbers must be added first/, 'noSenderNumber'),
	refusal(/do(?:es)? not exist|not (?:be )?found/, 'notFound'),
	refusal(/(?<=^ (?:error |[45]\d\d ){0,2})forbidden/, 'forbidden'),
	refusal(/(?:internal )?server error|failed to retrieve model settings/, 'serviceError'),
	refusal(/bad request|invalid input|invalid workspace or assistant ids?/, 'invalidInput'),
];

/** Words that may stand beside such texts; none of a confirmation, such as sent or placed. */
const WORDS_BESIDE = new Set(
	`a account again an and api are as assistant base be continue conversation could customer error first for found has
	have header hours in is it key knowledge last later message no non occurred of on or paragraph passed phone plan
	please provided send since so template the there this to try unauthorized was window workspace x yet your`.split(
		/\s+/,
	),
);

const ALL_TEXTS: readonly RefusalText[] = [...BEFORE_STATUS, ...AFTER_STATUS];

/** Finds the first kind one of whose texts stands anywhere in a text. */
export function refusalIn(text: string, texts: readonly RefusalText[]): FailureKind | undefined {
	const words = wordsOf(text);
	return texts.find(([pattern]) => words.search(pattern) >= 0)?.[1];
}

/** Finds the same in a text that is all refusal: besides, only a status and words around them. */
export function wholeRefusal(text: string, texts = ALL_TEXTS) {
	const rest = ALL_TEXTS.reduce((left, [pattern]) => left.replace(pattern, ' '), wordsOf(text));
	const isWhole = rest
		.split(/ +/)
		.every((word) => word === '' || WORDS_BESIDE.has(word) || /^[45]\d\d$/.test(word));
	return isWhole ? refusalIn(text, texts) : undefined;
}

/** Gives the words of a text in lower case, a space around each: " api key not valid ". */
function wordsOf(text: string): string {
	const plain = text.toLowerCase().replace(/n['’]t\b/g, ' not ');
	return ` ${plain} `.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
}
