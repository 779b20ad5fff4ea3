import { randomUUID } from 'node:crypto';
import { WEBHOOK_HEADER, WEBHOOK_SECRET } from '../setup';
import type { Ended } from './workflows';

const ANSWERED_WITHIN_MS = 300_000;

/** An event as it is posted. */
export interface Event {
	/** A property of its own, by which an execution is recognised. */
	reference: string;
	body: () => Buffer;
}

const TURN = {
	speaker: 'assistant',
	at: 12.5,
	text: 'We could do Tuesday at nine or Thursday at half past two; which of them suits you better?',
};

/**
 * Makes events, each different from all others ever made.
 *
 * @param transcriptBytes about how many bytes the transcript of each has; it is kept once for all of them
 */
export function eventMaker(transcriptBytes: number): () => Event {
	const turns = Math.ceil(transcriptBytes / JSON.stringify(TURN).length);
	const transcript = Array.from({ length: turns }, (_, index) => ({ ...TURN, at: index * 12.5 }));
	const summary = 'The customer has booked an appointment and wants to be reminded by SMS.';
	const appointment = '2026-02-03T09:00';
	const rest = JSON.stringify({ transcript, summary, appointment, customerIsNew: true });
	const end = Buffer.from(`,${rest.slice(1)}`);
	const callStartTime = new Date().toISOString();
	return () => {
		const reference = randomUUID();
		const head = JSON.stringify({ callId: reference, callStartTime, reference });
		return { reference, body: () => Buffer.concat([Buffer.from(head.slice(0, -1)), end]) };
	};
}

/**
 * Deliveries of which some repeat an earlier one: half of the repeats follow at once, so that they arrive while the first
 * is being handled, and half at the end.
 *
 * @param share of the deliveries, from 0 to 1
 */
export function withRepeats(make: () => Event, deliveries: number, share: number): Event[] {
	const repeats = Math.round(deliveries * share);
	const events = Array.from({ length: deliveries - repeats }, make);
	const every = Math.floor(events.length / (repeats / 2));
	const isRepeated = (index: number) => index % every === 0 && index / every < repeats / 2;
	const soon = events.flatMap((event, at) => (isRepeated(at) ? [event, event] : [event]));
	return [...soon, ...events.slice(soon.length - deliveries)];
}

/** What became of deliveries. */
export interface Counts {
	deliveries: number;
	/** Without those that repeat another. */
	events: number;
	executedOnce: number;
	executedTwice: number;
	lost: number;
	answeredAsRepeat: number;
	/** Deliveries that were not answered with 200. */
	refused: number;
}

/** How a delivery was answered; 0 if there was no answer. */
interface Answer {
	reference: string;
	status: number;
	body: string;
	milliseconds: number;
}

/** Posts events in their order over so many connections, each as soon as the one before is answered. */
export async function deliverAll(url: string, events: readonly Event[], connections: number) {
	const answers: Answer[] = [];
	const waiting = events.values();
	const deliver = async ({ reference, body }: Event): Promise<Answer> => {
		const startedAt = performance.now();
		const headers = { 'content-type': 'application/json', [WEBHOOK_HEADER]: WEBHOOK_SECRET };
		const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
		const answer = await fetch(url, { method: 'POST', headers, body: body(), signal })
			.then(async (response) => ({ status: response.status, body: await response.text() }))
			.catch((error: unknown) => ({ status: 0, body: String(error) }));
		return { reference, ...answer, milliseconds: performance.now() - startedAt };
	};
	const work = async (): Promise<void> => {
		for (const event of waiting) answers.push(await deliver(event));
	};
	await Promise.all(Array.from({ length: connections }, work));
	return answers;
}

export const isRepeat = ({ status, body }: Answer): boolean =>
	status === 200 && body === '{"repeat":true}';

/** Compares what was answered with what was executed. */
export function countsOf(answers: readonly Answer[], { counts }: Ended): Counts {
	const times = new Map(counts);
	const events = [...new Set(answers.map(({ reference }) => reference))];
	const executed = events.map((reference) => times.get(reference) ?? 0);
	return {
		deliveries: answers.length,
		events: events.length,
		executedOnce: executed.filter((count) => count === 1).length,
		executedTwice: executed.filter((count) => count > 1).length,
		lost: executed.filter((count) => count === 0).length,
		answeredAsRepeat: answers.filter(isRepeat).length,
		refused: answers.filter(({ status }) => status !== 200).length,
	};
}
