import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { tellFault, unexpected } from '../shared/answer/fault';
import { isContainer, toPlainText } from '../shared/values';
import { propertyOf } from './event';

const YES: readonly string[] = ['true', 'yes', '1'];
const NO: readonly string[] = ['', 'false', 'no', '0'];

/** What to do for a person whose opt-out could not be written. */
export const ADD_BY_HAND =
	'If the person wants no more contact, add a row with "phone" and "doNotContact" to the contact book.';

/** Reads the option that names the property with an opt-out; `undefined` if it was not added. */
export function readOptOutProperty(
	context: Pick<IWebhookFunctions, 'getNodeParameter'>,
): string | undefined {
	const option: unknown = context.getNodeParameter('options.optOutProperty', null);
	return option === null ? undefined : toPlainText(option);
}

/**
 * Reads what an event says about an opt-out.
 *
 * @returns true for yes, null for nothing, else false, and logs it; `undefined` without the option
 */
export function readOptOut(
	context: IWebhookFunctions,
	body: IDataObject,
): boolean | null | undefined {
	const property = readOptOutProperty(context);
	if (property === undefined || property === '') return undefined;
	const value = propertyOf(body, property) ?? '';
	const said = typeof value === 'boolean' ? String(value) : toPlainText(value).toLowerCase();
	if (YES.includes(said)) return true;
	if (NO.includes(said) && !isContainer(value)) return null;
	const problem = `The property "${property}" of an ended call must say yes or no`;
	context.logger.warn(`${tellFault(unexpected(value, problem))}. ${ADD_BY_HAND}`);
	return false;
}
