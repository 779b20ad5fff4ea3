import { randomUUID } from 'node:crypto';

/** An event as it is posted. */
export interface Event {
	/** A property of its own, by which an execution is recognised. */
	reference: string;
	/** The parts of the body; what is the same in all events is one buffer for all. */
	body: readonly Buffer[];
}

/** How events look. */
export interface Shape {
	/** About how many bytes the transcript has. */
	transcriptBytes: number;
	/** Without it, the trigger recognises a repeat by the whole event. */
	hasCallId: boolean;
}

const TURN = {
	speaker: 'assistant',
	at: 12.5,
	text: 'We could do Tuesday at nine or Thursday at half past two; which of them suits you better?',
};

/** The end of the body, from the transcript on. */
function restOf({ transcriptBytes }: Shape): Buffer {
	const turns = Math.ceil(transcriptBytes / JSON.stringify(TURN).length);
	const transcript = Array.from({ length: turns }, (_, index) => ({ ...TURN, at: index * 12.5 }));
	const rest = {
		transcript,
		summary: 'The customer has booked an appointment and wants to be reminded by SMS.',
		appointment: '2026-02-03T09:00',
		customerIsNew: true,
	};
	return Buffer.from(`,${JSON.stringify(rest).slice(1)}`);
}

/** Makes events of one shape, each different from all others ever made. */
export function eventMaker(shape: Shape): () => Event {
	const rest = restOf(shape);
	const callStartTime = new Date().toISOString();
	return () => {
		const reference = randomUUID();
		const { hasCallId } = shape;
		const head = { ...(hasCallId && { callId: reference }), callStartTime, reference };
		return { reference, body: [Buffer.from(JSON.stringify(head).slice(0, -1)), rest] };
	};
}

/** A generator of numbers from 0 to 1 that gives the same ones each time. */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return state / 2_147_483_648;
	};
}

/**
 * Deliveries of which some repeat an earlier one: half of the repeats follow at once, so that they arrive
 * while the first is being handled, and half at any time later.
 */
export function withRepeats(make: () => Event, deliveries: number, share: number): Event[] {
	const random = randomNumbers(1);
	const repeats = Math.round(deliveries * share);
	const events = Array.from({ length: deliveries - repeats }, make);
	const slots = events.map((event) => ({ event, at: 0 }));
	slots.forEach((slot, index) => (slot.at = index));
	const copies = Array.from({ length: repeats }, (_, index) => {
		const original = Math.floor(random() * events.length);
		const event = events[original] ?? make();
		const isAtOnce = index % 2 === 0;
		return {
			event,
			at: isAtOnce ? original + 0.5 : original + random() * (events.length - original),
		};
	});
	return [...slots, ...copies].sort((a, b) => a.at - b.at).map(({ event }) => event);
}
