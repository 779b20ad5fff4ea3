import type { IWebhookFunctions } from 'n8n-workflow';

import { nameOfNode } from '../shared/host';
import { DAY } from '../shared/time/clock';
import { firstResult } from '../shared/time/wait';
import { digest } from '../shared/values';
import { Refused } from './deliveryRefusals';
import { state, type State } from './state';

/** How long an event is remembered, in milliseconds. */
export const REMEMBERED_FOR = DAY;

/** How many events of a trigger n8n stores with the workflow, for other processes and restarts. */
export const MAX_STORED = 1_000;

/** How often is looked whether n8n has answered a delivery, in milliseconds. */
export const ANSWER_LOOKS = { within: 30_000, pause: 20 };

/**
 * Each stored event is its time and digest, in so many characters. They are short: n8n reads and
 * writes all at each delivery. A new one passes for one of 100,000 with a probability below 10^-12.
 */
const TIME_LENGTH = 8;
const DIGEST_LENGTH = 10;

/**
 * Says whether an event has started an execution. Waits while n8n works on another delivery of it.
 *
 * @param eventKey `undefined` for an event that is never a repeat
 * @returns `repeat`, or what remembers the event; to be called when n8n has started its execution
 * @throws Refused if the other delivery takes too long
 */
export async function recognise(context: IWebhookFunctions, eventKey: string | undefined) {
	const isOn = context.getNodeParameter('options.ignoreRepeats', true) !== false;
	// While somebody listens in the editor, the same event may be tried again and again.
	if (!isOn || eventKey === undefined || context.getMode() === 'manual') return () => undefined;
	const data = context.getWorkflowStaticData('node');
	const triggerName = nameOfNode(context);
	await waitForTurn(`${triggerName} ${eventKey}`, context.getResponseObject());
	if (isKnown(state, triggerName, eventKey, data.repeats, Date.now())) return 'repeat';
	return () => {
		data.repeats = remember(state, triggerName, eventKey, Date.now());
	};
}

/** Waits for the earlier answer: n8n may fail to start until then, even if its sender has left. */
async function waitForTurn(eventName: string, answer: { readonly writableEnded: boolean }) {
	const { answers } = state;
	// In one step: of those who wait, one takes the turn.
	const takeTurn = () => {
		// If n8n fails after the sender closed the connection, only this property shows it, no event.
		if (answers.get(eventName)?.writableEnded === false) return undefined;
		for (const [name, { writableEnded }] of answers) if (writableEnded) answers.delete(name);
		answers.set(eventName, answer);
		return true;
	};
	if (!(await firstResult(takeTurn, ANSWER_LOOKS))) throw new Refused('inProgress');
}

/**
 * Says whether an event has started an execution in the last 24 hours. The state of the process
 * knows those of the same moment, n8n's static data those before a restart and in other processes.
 *
 * @param stored what `remember` returned last, if n8n has kept it
 * @param now milliseconds since the epoch
 */
export function isKnown(
	memory: State,
	triggerName: string,
	eventKey: string,
	stored: unknown,
	now: number,
): boolean {
	if (typeof stored === 'string' && stored !== memory.stored.get(triggerName))
		add(memory, triggerName, stored.split(' '), now);
	return isRecent(memory.events.get(digestOf(triggerName, eventKey)) ?? Number.NaN, now);
}

/**
 * Remembers an event that has just started an execution. Gives the text to store: all that the
 * process knows, as deliveries at once overwrite it.
 */
export const remember = (memory: State, triggerName: string, eventKey: string, now: number) =>
	add(memory, triggerName, [now.toString(36) + digestOf(triggerName, eventKey)], now);

function add(memory: State, triggerName: string, events: readonly string[], now: number): string {
	const earlier = memory.stored.get(triggerName)?.split(' ') ?? [];
	// Times of one length are in the order of their texts.
	const all = [...new Set([...earlier, ...events])]
		.filter((event) => isRecent(timeIn(event), now))
		.sort();
	for (const event of all) memory.events.set(event.slice(TIME_LENGTH), timeIn(event));
	const newestEvents = all.slice(-MAX_STORED).join(' ');
	memory.stored.set(triggerName, newestEvents);
	return newestEvents;
}

const digestOf = (triggerName: string, eventKey: string): string =>
	digest(`${triggerName} ${eventKey}`).slice(0, DIGEST_LENGTH);

const timeIn = (event: string): number => parseInt(event.slice(0, TIME_LENGTH), 36);

/** By the absolute difference, so no event is remembered for longer if the clock is set back. */
const isRecent = (time: number, now: number): boolean => Math.abs(now - time) < REMEMBERED_FOR;
