import { UNKNOWN_USER } from '../../nodes/AssistantService/apiCredentialTest';
import { createRedaction } from '../../nodes/shared/answer/redact';
import { isObject } from '../../nodes/shared/values';
import { recipientOf, summarize } from '../../test/simulator/control';
import type { RecordedRequest, Simulator } from '../../test/simulator/simulator';
import type { ServiceState } from '../../test/simulator/workspace';
import { meaningOf, shownUrl } from './deliveries';
import { describeFault } from './faults';

/** So many rows of a list are shown; a burst of thousands stays readable. */
const ROWS = 50;
const MAX_TEXT = 4000;
const HOUR_MS = 60 * 60 * 1000;

const PRIORITIES = ['low', 'medium', 'high'];

const iso = (ms: number): string => new Date(ms).toISOString();
const newest = <T>(rows: readonly T[]): T[] => rows.slice(-ROWS).reverse();
const plural = (count: number, one: string, many = `${one}s`): string =>
	`${count} ${count === 1 ? one : many}`;
const cut = (text: string): string =>
	text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
const shownJson = (value: unknown): string =>
	isObject(value) && Object.keys(value).length > 0 ? cut(JSON.stringify(value, undefined, 2)) : '';

type Call = ServiceState['calls'][number];

const isGoingOn = ({ startedAt, endedAt }: Call): boolean =>
	startedAt !== undefined && endedAt === undefined;

/** Those that have not ended come first, as they can be ended. */
function callRows(calls: readonly Call[]) {
	const open = calls.filter(({ endedAt }) => endedAt === undefined);
	const ended = calls.filter(({ endedAt }) => endedAt !== undefined);
	return [...newest(open), ...newest(ended)].slice(0, ROWS).map((call) => ({
		id: call.id,
		to: call.toNumber,
		state: call.startedAt === undefined ? 'Queued' : call.endedAt === undefined ? 'Rings' : 'Ended',
		at: iso(call.placedAt),
		priority: `${PRIORITIES[call.priority] ?? ''} priority`,
		attributes: shownJson(call.attributes),
		event: shownJson(call.event),
		isGoingOn: isGoingOn(call),
		endLabel: `End call to ${call.toNumber}`,
		againLabel: `Send event again, of the call to ${call.toNumber}`,
		summary: `The assistant spoke with ${call.toNumber}.`,
	}));
}

function threadRows(threads: ServiceState['threads'], now: number) {
	return newest(threads.filter(({ conversation }) => conversation.messages.length > 0)).map(
		({ userIdentifier, channels, conversation, windowClosesAt }) => ({
			id: userIdentifier,
			channels: [...channels].join(', '),
			isMsgapp: channels.has('msgapp'),
			window:
				windowClosesAt === undefined
					? 'Customer window not open: no message of the customer yet'
					: now > windowClosesAt
						? 'Customer window closed'
						: `Customer window open for ${hours(windowClosesAt - now)}`,
			writeLabel: `Write as customer ${userIdentifier}`,
			messages: conversation.messages.slice(-ROWS).map(({ role, content, createdAt }, index) => ({
				id: String(index),
				who: role === 'user' ? 'Customer' : 'Assistant',
				content: cut(content),
				at: createdAt,
			})),
		}),
	);
}

const hours = (ms: number): string => `${Math.ceil(ms / (HOUR_MS / 10)) / 10} hours`;

const campaignRows = ({ campaigns }: ServiceState) =>
	newest(campaigns).map(
		({ id, name, campaignType, contacts, message, templateName, createdAt }) => ({
			id,
			name: name ?? 'Single campaign',
			campaignType,
			contacts,
			content: cut(message ?? templateName ?? ''),
			at: iso(createdAt),
		}),
	);

const knowledgeBaseRows = ({ knowledgeBases }: ServiceState) =>
	knowledgeBases.map(({ id, label, paragraphs }) => ({
		id,
		label,
		paragraphs: Array.from(paragraphs, ([key, text]) => ({ id: key, text: cut(text) })).slice(
			-ROWS,
		),
	}));

const assistantRows = ({ assistants }: ServiceState) =>
	assistants.map(({ id, prompt, locked }) => ({
		id,
		prompt: cut(prompt),
		state: locked ? 'Locked' : 'Not locked',
	}));

/** It asks for the conversation of somebody unknown, so 404 is as it should be. */
const isCredentialTest = ({ path }: RecordedRequest): boolean => path.includes(UNKNOWN_USER);

const isGood = (request: RecordedRequest): boolean =>
	request.status !== undefined &&
	(request.status < 400 || (request.status === 404 && isCredentialTest(request)));

function outcomeOf(request: RecordedRequest): string {
	if (isCredentialTest(request)) {
		return `test of a credential: ${isGood(request) ? 'passed' : 'not passed'}`;
	}
	return request.processed ? 'acted on' : 'not acted on';
}

function requestRows(requests: readonly RecordedRequest[]) {
	const first = Math.max(0, requests.length - ROWS);
	return requests
		.slice(first)
		.map((request, index) => ({
			id: String(first + index),
			at: iso(performance.timeOrigin + request.at),
			operation: request.endpoint ?? 'unknown',
			recipient: recipientOf(request.body) ?? '',
			line: `${request.method} ${cut(request.path)}`,
			status: request.status === undefined ? 'no answer' : String(request.status),
			isGood: isGood(request),
			outcome: outcomeOf(request),
			body: shownJson(request.body) || cut(request.rawBody),
		}))
		.reverse();
}

const webhookRows = ({ webhooks }: Simulator) =>
	webhooks.map(({ url, headers = {} }, index) => ({
		id: String(index),
		url: shownUrl(url),
		secret:
			Object.keys(headers).length === 0
				? 'without a secret'
				: `secret in ${Object.keys(headers).join(', ')}`,
		removeLabel: `Remove ${shownUrl(url)}`,
	}));

function deliveryRows({ deliveries }: Simulator) {
	const first = Math.max(0, deliveries.length - ROWS);
	return deliveries
		.slice(first)
		.map((delivery, index) => ({
			id: String(first + index),
			url: shownUrl(delivery.url),
			status: delivery.status === 0 ? 'no answer' : String(delivery.status),
			isGood: delivery.status >= 200 && delivery.status < 300,
			meaning: meaningOf(delivery),
			answer: cut(delivery.answer),
			event: shownJson(delivery.body),
		}))
		.reverse();
}

const faultRows = ({ faults }: Simulator) =>
	faults.map(({ id, fault, left }) => ({
		id: String(id),
		what: describeFault(fault),
		left: left === Infinity ? 'every request' : `the next ${plural(left, 'request')}`,
		removeLabel: `Switch off: ${describeFault(fault)}`,
	}));

/** The keys and secrets of this moment, whoever has sent them. */
const secretsOf = ({ apiKey, forbiddenApiKey, requests, webhooks }: Simulator): Set<string> =>
	new Set([
		apiKey,
		forbiddenApiKey,
		...requests.slice(-ROWS).flatMap(({ headers }) => headers['x-api-key'] ?? []),
		...webhooks.flatMap(({ headers = {} }) => Object.values(headers)),
	]);

/**
 * What the page shows of a service: the newest 50 rows of each list, in the words of the page. Keys and secrets are
 * masked wherever they stand.
 */
export function viewOf(simulator: Simulator) {
	const state = simulator.state();
	const now = simulator.clock.now();
	const { recipients } = summarize(simulator.requests);
	const acted = simulator.processed().length;
	const ringing = state.calls.filter(isGoingOn).length;
	const view = {
		now: iso(now),
		// Two readings of the clock are never quite equal.
		ahead: now - Date.now() < 1000 ? 'real time' : `${hours(now - Date.now())} ahead of real time`,
		headline: [
			ringing === 1 ? '1 call rings' : `${ringing} calls ring`,
			plural(simulator.requests.length, 'request'),
			`${acted} acted on`,
			`${plural(recipients.total, 'person', 'different people')} reached`,
			`${plural(simulator.deliveries.length, 'event')} sent`,
		].join(', '),
		calls: callRows(state.calls),
		threads: threadRows(state.threads, now),
		campaigns: campaignRows(state),
		knowledgeBases: knowledgeBaseRows(state),
		assistants: assistantRows(state),
		requests: requestRows(simulator.requests),
		webhooks: webhookRows(simulator),
		deliveries: deliveryRows(simulator),
		faults: faultRows(simulator),
	};
	return [...secretsOf(simulator)].reduce<unknown>(
		(shown, secret) => createRedaction(secret)(shown),
		view,
	);
}
