import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { tellFault, unexpected } from '../shared/answer/valueFault';
import { nameOfNode } from '../shared/host';
import { isBlank, joinTexts, shorten, toPlainText } from '../shared/values';
import { propertyOf } from './event';
import { readCallBackTime, readYesOrNo } from './resultValues';
import { state } from './state';

/** What to do for a person whose opt-out could not be written. */
export const ADD_BY_HAND =
	'If the person wants no more contact, add a row with "phone" and "doNotContact" to the contact book.';

/** The options that name a property of the event, by their labels. */
export const PROPERTY_OPTIONS = {
	callBackProperty: 'Call Back Property',
	optOutProperty: 'Opt-Out Property',
	reachedProperty: 'Reached Property',
} as const;

/** After so many events in a row without the property, n8n's log says so. */
const MAX_ABSENCES = 100;

/** The body of an event, and whose call it is of. */
interface CallBody {
	readonly body: IDataObject;
	readonly callId: string | null;
}

/** Reads an opt-out: true for yes, null for nothing, else false; `undefined` without the option. */
export function readOptOut(context: IWebhookFunctions, call: CallBody) {
	const said = readNamed(context, call, 'optOutProperty', YES_OR_NO, readYesOrNo);
	if (said === undefined || said.answer === true) return said?.answer;
	return said.answer === undefined ? false : null;
}

/**
 * Reads the result of a call, as far as options ask for it: whether the person was reached (not if
 * nobody spoke), and when they want to be called back. Null if the event does not say it.
 */
export function readResult(context: IWebhookFunctions, call: CallBody, receivedAt: Date) {
	const reached = readNamed(context, call, 'reachedProperty', YES_OR_NO, readYesOrNo);
	const callBack = readNamed(context, call, 'callBackProperty', TIME, (value) =>
		readCallBackTime(value, context.getTimezone(), receivedAt.getTime()),
	);
	const isUnanswered = reached?.answer === null && isSilent(call.body);
	return {
		...(reached && { reached: isUnanswered ? false : (reached.answer ?? null) }),
		...(callBack && { callBackAt: callBack.answer ?? null }),
	};
}

const YES_OR_NO = 'say yes or no';
const TIME = 'be a time of the coming year (ISO 8601)';

/** True if there is a transcript, and nothing in it. */
const isSilent = ({ transcript }: IDataObject): boolean =>
	transcript !== undefined &&
	(isBlank(transcript) || (Array.isArray(transcript) && transcript.length === 0));

/**
 * Reads the property that an option names; `undefined` without the option. n8n's log says once that
 * no event has the property: it may come under another name. Few people want to be called back.
 *
 * @param requirement what the property is to do
 * @param parse gives null for nothing, and `undefined` for what cannot be read, which is logged
 */
function readNamed<T>(
	context: IWebhookFunctions,
	{ body, callId }: CallBody,
	option: keyof typeof PROPERTY_OPTIONS,
	requirement: string,
	parse: (value: unknown) => T | undefined,
): { readonly answer: T | undefined } | undefined {
	const property = toPlainText(context.getNodeParameter(`options.${option}`, ''));
	if (property === '') return undefined;
	const value = propertyOf(body, property);
	const counterKey = `${nameOfNode(context)} ${option} ${property}`;
	const absences = value === undefined ? (state.absences.get(counterKey) ?? 0) + 1 : 0;
	state.absences.set(counterKey, absences);
	if (absences === MAX_ABSENCES && option !== 'callBackProperty')
		context.logger.warn(
			`None of the last ${MAX_ABSENCES} events of "${context.getNode().name}" had its ${PROPERTY_OPTIONS[option]} "${property}". Compare it with an event: capital letters count, and a property within another one needs its path, e.g. analysis.stop.`,
		);
	const answer = parse(value);
	const problem = `The property "${property}" of call ${shorten(JSON.stringify(callId))} must ${requirement}`;
	const advice = option === 'optOutProperty' ? ADD_BY_HAND : '';
	if (answer === undefined)
		context.logger.warn(joinTexts([tellFault(unexpected(value, problem)), advice], '. '));
	return { answer };
}
