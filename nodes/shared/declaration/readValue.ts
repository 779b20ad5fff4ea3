import type { ZodIssueCode } from 'zod';

import { unexpected, type Fault, type Wrong } from '../answer/valueFault';
import { isBlank, isObject } from '../values';
import type { ValueSchema } from './schemas';

/** Issues whose messages say by themselves what is wrong with the value. */
const TELLING: ReadonlySet<string> = new Set<ZodIssueCode>(['custom', 'unrecognized_keys']);

/** What a reader of ours says of a value, see {@link parsedBy}. */
const isFaultDetails = (params: unknown): params is Wrong =>
	isObject(params) && (params.kind === 'bad' || params.kind === 'unexpected');

/**
 * Cleans and checks one value. With faults there is none.
 *
 * @param mayQuote false if nothing of the value may be shown, as it can be secret
 */
export function readValue<T>(
	displayName: string,
	schema: ValueSchema<T>,
	input: unknown,
	mayQuote = false,
): { readonly value?: T; readonly faults: readonly Fault[] } {
	const result = schema.safeParse(input);
	if (result.success) return { value: result.data, faults: [] };
	if (isBlank(input)) return { faults: [{ kind: 'empty', name: displayName }] };
	const faults = result.error.issues.map((issue): Fault => {
		const place = issue.path.map((part) => (typeof part === 'number' ? `entry ${part + 1}` : part));
		const name = displayName + (place.length > 0 ? ` (${place.join(', ')})` : '');
		if (mayQuote && issue.code === 'custom' && isFaultDetails(issue.params))
			return { ...issue.params, name };
		// No value within a list: schemas leave out blank entries, so its place may be another's.
		const value = issue.path.reduce<unknown>(
			(whole, part) => (isObject(whole) ? whole[part] : undefined),
			input,
		);
		const quotesValue = mayQuote && !TELLING.has(issue.code);
		return { ...unexpected(quotesValue ? value : undefined, issue.message), name };
	});
	return { faults };
}

/** Says what is wrong with a value that throws: its expression fails or it is nested too deeply. */
export function problemOf(error: unknown): string {
	if (error instanceof RangeError) return 'a value is nested too deeply';
	return error instanceof Error ? error.message : 'the value cannot be read';
}
