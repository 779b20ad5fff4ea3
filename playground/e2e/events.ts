import { post, type Answer } from '../post';
import { WEBHOOK_HEADER } from '../setup';
import type { World } from './world';

/** What the trigger answers to an event, and to one that it has had before. */
export const RECEIVED = { status: 200, data: { received: true } };
export const REPEAT = { status: 200, data: { repeat: true } };

/** Sends an event to the URL of a trigger as the service does, with the secret in a header. */
export const sendEvent = async (
	{ secret }: Pick<World, 'secret'>,
	url: string,
	event: object | string,
	headers: Record<string, string> = {},
): Promise<Answer> => await post(url, event, { headers: { [WEBHOOK_HEADER]: secret, ...headers } });
