import type { AnswerRules } from './answerRules';
import {
	asSentence,
	FAILURE_TEXTS,
	messageOf,
	quoteService,
	type Failure,
	type FailureKind,
} from './failure';
import { joinTexts } from '../values';

/** What an agent is to do if the outcome of its request is unknown; it does not know options. */
const UNKNOWN_TO_AGENT =
	'It may have taken effect all the same. Do not repeat this tool call: somebody could be reached twice. Report that the outcome is unknown and has to be looked up at the service.';

const UNKNOWN_BUT_SAFE =
	'It may have taken effect all the same, and it does no harm to do it twice. Repeat this tool call once at most. If it fails again, report this.';

const UNTIL = 'Do not repeat this tool call: it fails until';

/** The advice on a wrong setting: the agent can correct only values that `$fromAI` asks of it. */
export const OF_SETTINGS = `${UNTIL} somebody has corrected the settings of this tool. Report this.`;

/** What an agent is to do, or not to repeat. Unlike users, it cannot set a credential or option. */
export const ADVICE: Readonly<Record<FailureKind, string>> = {
	invalidInput:
		'Correct the values by what the service says. Do not repeat this tool call with the same values.',
	invalidApiKey: `${UNTIL} somebody has corrected the API key. Report this.`,
	missingApiKey: `${UNTIL} somebody has corrected the API key. Report this.`,
	upgradeRequired: `${UNTIL} the account of the service is upgraded. Report this.`,
	forbidden: `${UNTIL} the API key has the right to do this. Report this.`,
	notFound: 'Check the IDs. Do not repeat this tool call with the same IDs.',
	windowClosed: `${UNTIL} the customer has written again. Until then, only a template message can be sent.`,
	windowNotOpen: `${UNTIL} the customer has written. Until then, only a template message can be sent.`,
	noSenderNumber: `${UNTIL} the workspace has a msgapp phone number. Report this.`,
	rateLimited: 'Do not repeat this tool call within the next minute.',
	serviceError:
		'Repeat this tool call once at most, and not at once. If it fails again, report this.',
	badResponse: 'Do not repeat this tool call. Report this.',
	unreachable:
		'Repeat this tool call once at most, and not at once. If it fails again, report this.',
	timeout: 'Repeat this tool call once at most. If it fails again, report this.',
	stopped: 'Do not repeat this tool call. Report that the run was stopped.',
};

/**
 * Writes a failure as a tool tells it. An agent reads nothing but the message, so it holds
 * everything: what happened, the service's own text, and what to do or not to do again. Without an
 * operation it counts as not safe to repeat.
 */
export function forAgent(failure: Failure, operation?: Pick<AnswerRules, 'repeatable'>): Failure {
	const parts = [
		asSentence(messageOf(failure)),
		quoteService(failure.serviceMessage),
		adviceFor(failure, operation?.repeatable === true),
	];
	return { ...failure, message: joinTexts(parts) };
}

/** Gives a failure's advice, or own hint, else {@link ADVICE}: a kind's hint is for users alone. */
function adviceFor({ kind, outcome, hint, advice }: Failure, isRepeatable: boolean): string {
	if (outcome === 'unknown') return isRepeatable ? UNKNOWN_BUT_SAFE : UNKNOWN_TO_AGENT;
	if (advice !== undefined) return advice;
	const guidance = hint === FAILURE_TEXTS[kind].hint ? ADVICE[kind] : hint;
	return outcome === 'notSent' ? `Nothing was sent. ${guidance}` : guidance;
}
