import { isBlank, joinTexts, shorten } from '../values';

/** What is wrong with a value. */
export type Wrong =
	/** The text that was entered, as it is shown, and what is said of it: "has no country code". */
	| { readonly kind: 'bad'; readonly value: string; readonly problem: string }
	/** A sentence, e.g. what was expected; what was entered, as JSON, if it may be told. */
	| { readonly kind: 'unexpected'; readonly problem: string; readonly value?: string };

/** What was made of a value, or what is wrong with it. */
export type Parsed<T> = { readonly kind: 'read'; readonly value: T } | Wrong;

interface Place {
	/** In n8n's names, e.g. "options.timeout"; absent for the credential. */
	readonly field?: string;
	/** The display name, and the place within its value; absent if the problem names it. */
	readonly name?: string;
	/** What a user is to do, if that is special. */
	readonly hint?: string;
}

/** What is wrong with one field of an item, or of the credential. */
export type Fault = (Wrong | { readonly kind: 'empty' }) & Place;

/** Says what is wrong with a text: "has no country code". */
export const bad = (text: string, problem: string, hint?: string): Wrong & Place => ({
	kind: 'bad',
	value: shorten(text),
	problem,
	hint,
});

/** Says what was expected instead of a value. */
export const unexpected = (value: unknown, problem: string): Wrong => ({
	kind: 'unexpected',
	value: shown(value),
	problem,
});

/** Makes a fault of which no value is shown; without a place, the problem says all. */
export const faultOf = (problem: string, place: Place = {}): Wrong & Place => ({
	kind: 'unexpected',
	problem,
	...place,
});

/** Tells faults: `To Number: "0151" has no country code; Locked: expected true, not "yes"`. */
export const tellFaults = (faults: readonly Fault[]): string => faults.map(tellFault).join('; ');

/** Tells one fault, as a part of a sentence. */
export function tellFault({ name = '', ...wrong }: Fault): string {
	if (wrong.kind === 'empty') return `${name} is empty`;
	const { kind, problem, value = '' } = wrong;
	const instead = value === '' ? '' : `, not ${value}`;
	return joinTexts([name, kind === 'bad' ? `"${value}" ${problem}` : problem + instead], ': ');
}

/** Gives a value as JSON, shortened; empty if it is blank, or JSON does not know it. */
function shown(value: unknown): string {
	try {
		const json: unknown = typeof value === 'number' ? String(value) : JSON.stringify(value);
		return typeof json === 'string' && !isBlank(value) ? shorten(json) : '';
	} catch {
		return '';
	}
}
