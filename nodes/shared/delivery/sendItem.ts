import { createFailure, FAILURE_TEXTS, type Failure } from '../answer/failure';
import type { ItemPlan } from '../request/request';
import type { Exchange } from './exchange';
import type { ItemTurns } from './lane';
import type { Ledger } from './ledger/ledger';
import { failed, type ItemResult } from './result';

/** An item on its way. */
export interface Parcel {
	readonly index: number;
	readonly plan: ItemPlan;
	readonly turns: ItemTurns;
}

interface SendingOptions {
	readonly ledger: Ledger;
	/** Aborted when nothing more is to start. */
	readonly signal: AbortSignal;
}

/**
 * Sends the requests of an item that has its first turn: the one before, the main one, and the fallback if the main one
 * is refused. Never rejects.
 */
export async function sendItem(
	parcel: Parcel,
	exchange: Exchange,
	options: SendingOptions,
): Promise<ItemResult> {
	try {
		return await send(parcel, exchange, options);
	} catch {
		return failed(brokenOff());
	}
}

async function send(
	{ index, plan: { before, main, fallback }, turns }: Parcel,
	exchange: Exchange,
	{ ledger, signal }: SendingOptions,
): Promise<ItemResult> {
	if (before && ledger.addedTo(index) === undefined) {
		const first = await exchange.request(before, turns);
		if (!first.accepted) return failed(notSentBecause(first.failure));
		ledger.keepAdded(index, main.operation.before?.adds(first.body) ?? {});
	}
	const added = ledger.addedTo(index) ?? {};
	const answer = await exchange.request(main, turns);
	if (answer.accepted) return { accepted: true, body: answer.body, via: 'main', added };
	const isFallback = main.operation.fallback?.kinds.includes(answer.failure.kind) === true;
	if (!fallback || !isFallback || signal.aborted) return answer;
	const second = await exchange.request(fallback, turns);
	return second.accepted ? { accepted: true, body: second.body, via: 'fallback', added } : second;
}

/** The failure of an item whose delivery threw: nobody can say how far it came. */
const brokenOff = (): Failure =>
	createFailure({
		kind: 'badResponse',
		outcome: 'unknown',
		message: 'The node failed while this item was sent',
		hint: 'Report this with the version of the node.',
	});

/** The failure of an item whose request before failed, so that the main one was never sent. */
const notSentBecause = ({ kind, outcome, hint, ...failure }: Failure): Failure =>
	createFailure({
		...failure,
		kind,
		outcome: 'notSent',
		hint: outcome === 'unknown' ? FAILURE_TEXTS[kind].hint : hint,
	});
