import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { tellFault, unexpected } from '../shared/answer/valueFault';
import { nameOfNode } from '../shared/host';
import { isBlank, joinTexts, toPlainText } from '../shared/values';
import { readCallBackTime } from './callBackTime';
import { propertyOf } from './event';
import { state } from './state';
import { readYesOrNo } from './yesOrNo';

/** What to do for a person whose opt-out could not be written. */
export const ADD_BY_HAND =
	'If the person wants no more contact, add a row with "phone" and "doNotContact" to the contact book.';

/** The options that name a property of the event: their labels, and what the property must do. */
export const PROPERTY_OPTIONS = {
	callBackProperty: {
		label: 'Call Back Property',
		must: 'be a time of the coming year (ISO 8601)',
		advice: '',
	},
	optOutProperty: { label: 'Opt-Out Property', must: 'say yes or no', advice: ADD_BY_HAND },
	reachedProperty: { label: 'Reached Property', must: 'say yes or no', advice: '' },
} as const;

type PropertyOption = keyof typeof PROPERTY_OPTIONS;

/** After so many events in a row without the property, n8n's log says so. */
const MAX_ABSENCES = 100;

/** Reads an opt-out: true for yes, null for nothing, else false; `undefined` without the option. */
export function readOptOut(context: IWebhookFunctions, body: IDataObject) {
	const said = readNamed(context, body, 'optOutProperty', readYesOrNo);
	return said && (said.answer === undefined ? false : said.answer || null);
}

/**
 * Reads the result of a call, as far as options ask for it: whether the person was reached (not if
 * nobody spoke), and when they want to be called back. Null if the event does not say it.
 */
export function readResult(context: IWebhookFunctions, body: IDataObject, receivedAt: Date) {
	const reached = readNamed(context, body, 'reachedProperty', readYesOrNo);
	const callBack = readNamed(context, body, 'callBackProperty', (value) =>
		readCallBackTime(value, context.getTimezone(), receivedAt.getTime()),
	);
	const isUnanswered = reached?.answer === null && isSilent(body);
	return {
		...(reached && { reached: isUnanswered ? false : (reached.answer ?? null) }),
		...(callBack && { callBackAt: callBack.answer ?? null }),
	};
}

/** True if there is a transcript, and nothing in it. */
const isSilent = ({ transcript }: IDataObject): boolean =>
	transcript !== undefined &&
	(isBlank(transcript) || (Array.isArray(transcript) && transcript.length === 0));

/**
 * Reads the property that an option names; `undefined` without the option.
 *
 * @param read gives null for nothing, and `undefined` for what cannot be read, which is logged
 */
function readNamed<T>(
	context: IWebhookFunctions,
	body: IDataObject,
	option: PropertyOption,
	read: (value: unknown) => T | undefined,
): { readonly answer: T | undefined } | undefined {
	const property = toPlainText(context.getNodeParameter(`options.${option}`, ''));
	if (property === '') return undefined;
	const value = propertyOf(body, property);
	countAbsence(context, option, property, value === undefined);
	const answer = read(value);
	const { must, advice } = PROPERTY_OPTIONS[option];
	const problem = `The property "${property}" of an ended call must ${must}`;
	if (answer === undefined)
		context.logger.warn(joinTexts([tellFault(unexpected(value, problem)), advice], '. '));
	return { answer };
}

/** Says once in n8n's log that no event has the property: it may come under another name. */
function countAbsence(
	context: IWebhookFunctions,
	option: PropertyOption,
	property: string,
	isAbsent: boolean,
): void {
	const name = `${nameOfNode(context)} ${option} ${property}`;
	const absences = isAbsent ? (state.absences.get(name) ?? 0) + 1 : 0;
	state.absences.set(name, absences);
	// Few people want to be called back.
	if (absences === MAX_ABSENCES && option !== 'callBackProperty')
		context.logger.warn(
			`None of the last ${MAX_ABSENCES} events of "${context.getNode().name}" had its ${PROPERTY_OPTIONS[option].label} "${property}". Compare it with an event: capital letters count, and a property within another one needs its path, e.g. analysis.stop.`,
		);
}
