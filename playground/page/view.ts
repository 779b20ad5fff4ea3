import { HOUR } from '../../nodes/shared/time/clock';
import { UNKNOWN_USER } from '../../nodes/AssistantService/testCredential';
import { createRedaction } from '../../nodes/shared/answer/redact';
import { recipientOf } from '../../test/simulator/recipient';
import type { RecordedRequest, Simulator } from '../../test/simulator/simulator';
import type { ServiceState } from '../../test/simulator/workspace';
import type { Seen } from './beside';
import { contactRows, waitRow } from './contacts';
import { meaningOf, shownUrl } from './deliveries';
import { describeFault } from './faults';
import { listRows } from './lists';
import { buttons, cut, newest, parts, plural, ROWS, shorten, shownJson, type Row } from './row';

const PRIORITIES = ['low priority', '', 'high priority'];
const iso = (ms: number): string => new Date(ms).toISOString();
const hours = (ms: number): string => `${Math.ceil(ms / (HOUR / 10)) / 10} hours`;
type Call = ServiceState['calls'][number];
type Thread = ServiceState['threads'][number];

const isGoingOn = ({ endedAt }: Call): boolean => endedAt === undefined;

function callRow(call: Call): Row {
	const { id, toNumber, event } = call;
	return {
		id,
		title: toNumber,
		badge: isGoingOn(call) ? 'Rings' : 'Ended',
		tone: isGoingOn(call) ? 'busy' : undefined,
		at: iso(call.startedAt),
		quiet: PRIORITIES[call.priority],
		actions: buttons(
			isGoingOn(call) && {
				text: 'End call',
				label: `End call to ${toNumber}`,
				opens: 'end',
				values: { id, title: toNumber, summary: `The assistant spoke with ${toNumber}.` },
			},
			isGoingOn(call) && {
				text: 'Not reached',
				label: `Not reached: ${toNumber}`,
				does: 'endCall',
				values: { id, summary: 'Nobody answered.', transcript: '', variables: 'reached: no' },
			},
			event !== undefined && {
				text: 'Send event again',
				label: `Send event again, of the call to ${toNumber}`,
				does: 'sendAgain',
				values: { id },
			},
		),
		parts: parts({
			'Call ID': id,
			'Custom fields': shownJson(call.attributes),
			'Event at its end': shownJson(event),
		}),
	};
}

/** Those for which an execution waits come first, then the others that have not ended, as they can be ended. */
function callRows(calls: readonly Call[], waits: Seen['waits'], ringing: Set<string>): Row[] {
	const known = new Map(calls.map((call) => [call.id, () => callRow(call)]));
	const groups = waits.map((wait) => waitRow(wait, ringing, (id) => known.get(id)?.()));
	const awaited = new Set(waits.flatMap(({ rows }) => rows.map(({ contactId }) => contactId)));
	const others = calls.filter(({ id }) => !awaited.has(id)).reverse();
	const ended = others.filter((call) => !isGoingOn(call));
	const rows = [...others.filter(isGoingOn), ...ended].map((call) => () => callRow(call));
	return [...groups, ...shorten(rows)];
}

function windowText(closesAt: number | undefined, now: number): string {
	if (closesAt === undefined) return 'Customer window not open: no message of the customer yet';
	if (now > closesAt) return 'Customer window closed';
	return `Customer window open for ${hours(closesAt - now)}`;
}

const threadRow =
	(now: number) =>
	({ userIdentifier: id, channels, conversation, windowClosesAt }: Thread): Row => ({
		id,
		title: id,
		badge: [...channels].join(', '),
		quiet: channels.has('msgapp') ? windowText(windowClosesAt, now) : '',
		actions: buttons(
			channels.has('msgapp') && {
				text: 'Write as customer',
				label: `Write as customer ${id}`,
				opens: 'customer',
				values: { id },
			},
		),
		rows: conversation.messages.slice(-ROWS).map(({ role, content, createdAt }, index) => ({
			id: String(index),
			title: role === 'user' ? 'Customer' : 'Assistant',
			text: cut(content),
			at: createdAt,
		})),
	});

function requestRow(request: RecordedRequest, id: string): Row {
	const { status, body, processed } = request;
	// It asks for the conversation of somebody unknown, so 404 is as it should be.
	const isTest = request.path.includes(UNKNOWN_USER);
	const isGood = status !== undefined && (status < 400 || (status === 404 && isTest));
	const test = `test of a credential: ${isGood ? 'passed' : 'not passed'}`;
	return {
		id,
		title: request.endpoint ?? 'unknown',
		badge: String(status ?? 'no answer'),
		tone: isGood ? 'good' : 'bad',
		text: `${recipientOf(request) ?? ''} ${isTest ? test : processed ? 'acted on' : 'not acted on'}`,
		at: iso(performance.timeOrigin + request.at),
		parts: parts({
			[`${request.method} ${cut(request.path)}`]: shownJson(body) || cut(request.rawBody) || ' ',
		}),
	};
}

const webhookRow = ({ url, headers = {} }: Simulator['webhooks'][number], index: number): Row => ({
	id: String(index),
	title: shownUrl(url),
	quiet: `secret in ${Object.keys(headers).join(', ')}`.replace(/^secret in $/, 'without a secret'),
	actions: buttons({
		text: 'Remove',
		label: `Remove ${shownUrl(url)}`,
		does: 'removeWebhook',
		values: { id: String(index) },
	}),
});

const deliveryRow = (delivery: Simulator['deliveries'][number], id: string): Row => ({
	id,
	title: meaningOf(delivery),
	badge: delivery.status === 0 ? 'no answer' : String(delivery.status),
	tone: delivery.status >= 200 && delivery.status < 300 ? 'good' : 'bad',
	code: shownUrl(delivery.url),
	parts: parts({ Event: shownJson(delivery.body), Answer: cut(delivery.answer) }),
});

const faultRow = ({ id, fault, left }: Simulator['faults'][number]): Row => ({
	id: String(id),
	title: describeFault(fault),
	quiet: left === Infinity ? 'every request' : `the next ${plural(left, 'request')}`,
	actions: buttons({
		text: 'Switch off',
		label: `Switch off: ${describeFault(fault)}`,
		does: 'removeFault',
		values: { id: String(id) },
	}),
});

/** The keys and secrets of this moment, of all senders. */
const secretsOf = ({ apiKey, forbiddenApiKey, requests, webhooks }: Simulator): Set<string> =>
	new Set([
		apiKey,
		forbiddenApiKey,
		...requests.slice(-ROWS).flatMap(({ headers }) => headers['x-api-key'] ?? []),
		...webhooks.flatMap(({ headers = {} }) => Object.values(headers)),
	]);

/**
 * What the page shows of a service: the newest rows of each list and how many others there are, in the words of the page. Keys and
 * secrets are masked wherever they stand.
 *
 * @param seen what n8n knows; undefined if that is not known
 */
export function viewOf(simulator: Simulator, seen?: Seen): unknown {
	const { calls, threads } = simulator.state();
	const now = simulator.clock.now();
	const ringing = new Set(calls.filter(isGoingOn).map(({ id }) => id));
	const waits = seen?.waits ?? [];
	const people = new Set(simulator.processed().flatMap((one) => recipientOf(one) ?? [])).size;
	const view = {
		now: iso(now),
		// Two readings of the clock are never quite equal.
		ahead: now - Date.now() < 1000 ? 'real time' : `${hours(now - Date.now())} ahead of real time`,
		headline: [
			ringing.size === 1 ? '1 call rings' : `${ringing.size} calls ring`,
			waits.length === 1 ? '1 execution waits' : `${waits.length} executions wait`,
		].join(', '),
		facts: [
			plural(simulator.requests.length, 'request'),
			`${simulator.processed().length} acted on`,
			`${plural(people, 'person', 'different people')} contacted`,
			`${plural(simulator.deliveries.length, 'event')} sent`,
		].join(', '),
		calls: callRows(calls, waits, ringing),
		contacts: contactRows(seen, ringing),
		lists: listRows(seen?.ofLists ?? [], ringing),
		threads: newest(
			threads.filter(({ conversation }) => conversation.messages.length > 0),
			threadRow(now),
		),
		requests: newest(simulator.requests, requestRow),
		webhooks: simulator.webhooks.map(webhookRow),
		deliveries: newest(simulator.deliveries, deliveryRow),
		faults: simulator.faults.map(faultRow),
	};
	return createRedaction([...secretsOf(simulator)])(view);
}
