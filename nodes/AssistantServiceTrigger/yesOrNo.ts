import { isBlank, toPlainText } from '../shared/values';

const YES: readonly string[] = ['true', 'yes', '1'];
const NO: readonly string[] = ['false', 'no', '0'];

/** Reads yes as true and no as false; null for nothing, `undefined` for anything else. */
export function readYesOrNo(value: unknown): boolean | null | undefined {
	if (isBlank(value)) return null;
	const text = typeof value === 'boolean' ? String(value) : toPlainText(value).toLowerCase();
	if (YES.includes(text)) return true;
	return NO.includes(text) ? false : undefined;
}
