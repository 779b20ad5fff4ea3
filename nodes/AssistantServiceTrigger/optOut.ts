import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { tellFault, unexpected } from '../shared/answer/valueFault';
import { nameOfNode } from '../shared/host';
import { isContainer, toPlainText } from '../shared/values';
import { propertyOf } from './event';
import { state } from './state';

const YES: readonly string[] = ['true', 'yes', '1'];
const NO: readonly string[] = ['', 'false', 'no', '0'];

/** After so many events in a row without the property, n8n's log says so. */
const MAX_ABSENCES = 100;

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
 * Reads what an event says about an opt-out: true for yes, null for nothing, else false, and logs
 * it; `undefined` without the option.
 */
export function readOptOut(
	context: IWebhookFunctions,
	body: IDataObject,
): boolean | null | undefined {
	const property = readOptOutProperty(context);
	if (property === undefined || property === '') return undefined;
	const value = propertyOf(body, property);
	countAbsence(context, property, value === undefined);
	const said = typeof value === 'boolean' ? String(value) : toPlainText(value).toLowerCase();
	if (YES.includes(said)) return true;
	if (NO.includes(said) && !isContainer(value)) return null;
	const problem = `The property "${property}" of an ended call must say yes or no`;
	context.logger.warn(`${tellFault(unexpected(value, problem))}. ${ADD_BY_HAND}`);
	return false;
}

/** Says once in n8n's log that no event has the property: opt-outs may come under another name. */
function countAbsence(context: IWebhookFunctions, property: string, isAbsent: boolean): void {
	const name = `${nameOfNode(context)} ${property}`;
	const absences = isAbsent ? (state.withoutOptOut.get(name) ?? 0) + 1 : 0;
	state.withoutOptOut.set(name, absences);
	if (absences === MAX_ABSENCES)
		context.logger.warn(
			`None of the last ${MAX_ABSENCES} events of "${context.getNode().name}" had its Opt-Out Property "${property}". Compare it with an event: capital letters count, and a property within another one needs its path, e.g. analysis.stop.`,
		);
}
