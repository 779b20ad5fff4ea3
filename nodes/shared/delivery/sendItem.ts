import { createFailure, type Failure } from '../answer/failure';
import type { ItemPlan } from '../request/request';
import type { Exchange, Sender } from './exchange';
import { failed, type ItemResult } from './result';

/**
 * Sends the requests of an item that has its first turn: the main one, and the fallback if that is refused. Never rejects.
 *
 * @param signal aborted when nothing more is to start
 */
export async function sendItem(
	plan: ItemPlan,
	sender: Sender,
	exchange: Exchange,
	signal: AbortSignal,
): Promise<ItemResult> {
	try {
		return await send(plan, sender, exchange, signal);
	} catch {
		return failed(brokenOff());
	}
}

async function send(
	{ main, fallback }: ItemPlan,
	sender: Sender,
	exchange: Exchange,
	signal: AbortSignal,
): Promise<ItemResult> {
	const answer = await exchange.request(main, sender);
	if (answer.accepted) return { accepted: true, body: answer.body, via: 'main' };
	const isFallback = main.operation.fallback?.kinds.includes(answer.failure.kind) === true;
	if (!fallback || !isFallback || signal.aborted) return answer;
	const second = await exchange.request(fallback, sender);
	return second.accepted ? { accepted: true, body: second.body, via: 'fallback' } : second;
}

/** The failure of an item whose delivery threw: nobody can say how far it came. */
const brokenOff = (): Failure =>
	createFailure({
		kind: 'badResponse',
		outcome: 'unknown',
		message: 'The node failed while this item was sent',
		hint: 'Report this with the version of the node.',
	});
