import { isBlank, joinTexts, shorten } from '../values';

/** What is wrong with a value. */
export type Wrong =
	| { readonly kind: 'empty' }
	/** The text that was entered, and what is said of it: "has no country code". */
	| { readonly kind: 'bad'; readonly value: string; readonly problem: string }
	/** What was expected, and what was entered instead; absent if it is not to be shown. */
	| { readonly kind: 'unexpected'; readonly problem: string; readonly value?: unknown };

/** What is wrong with one field of an item, or of the credential. */
export type Fault = Wrong & {
	/** In n8n's names, e.g. "options.timeout"; absent for the credential. */
	readonly field?: string;
	/** The display name, and the place within its value; absent if the problem names it. */
	readonly name?: string;
};

/** Makes a fault of which no value is shown; without a field and a name, the problem says all. */
export const faultOf = (problem: string, of: Pick<Fault, 'field' | 'name'> = {}): Fault => ({
	kind: 'unexpected',
	problem,
	...of,
});

/** Tells faults: `To Number: "0151" has no country code; Locked: expected true, not "yes"`. */
export const tellFaults = (faults: readonly Fault[]): string => faults.map(tellFault).join('; ');

export function tellFault({ name = '', ...wrong }: Fault): string {
	if (wrong.kind === 'empty') return `${name} is empty`;
	const { kind, problem, value } = wrong;
	const what = kind === 'bad' ? `"${shorten(value)}" ${problem}` : problem + butNot(value);
	return joinTexts([name, what], ': ');
}

/** Writes `, not ["crm-1"]`; empty if JSON does not know the value. */
function butNot(value: unknown): string {
	try {
		const json: unknown = typeof value === 'number' ? String(value) : JSON.stringify(value);
		return typeof json === 'string' && !isBlank(value) ? `, not ${shorten(json)}` : '';
	} catch {
		return '';
	}
}
