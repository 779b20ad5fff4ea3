import type { IWebhookFunctions } from 'n8n-workflow';

import { InProgress } from './inProgress';
import type { Refused } from './deliveryRefusals';
import { RepeatMemory } from './repeatMemory';
import { nameOfNode } from '../shared/nameOfNode';

/** The name of the trigger's entry in n8n's static data. */
const STORED_REPEATS = 'repeats';

const repeatMemory = new RepeatMemory();
const inProgress = new InProgress();

type Recognised =
	| { readonly isRepeat: true }
	/** `remember` must be called when n8n has started the execution of the event. */
	| { readonly isRepeat: false; readonly remember: () => void };

const NOT_REMEMBERED: Recognised = { isRepeat: false, remember: () => undefined };

/**
 * Says whether an event has started an execution before. Waits first while n8n works on another delivery of it.
 *
 * @param eventKey `undefined` for an event that is never a repeat
 */
export async function recognise(
	context: IWebhookFunctions,
	eventKey: string | undefined,
): Promise<Recognised | Refused> {
	const isWanted = context.getNodeParameter('options.ignoreRepeats', true) === true;
	// While somebody listens in the editor, the same event may be tried again and again.
	if (!isWanted || eventKey === undefined || context.getMode() === 'manual') return NOT_REMEMBERED;
	const data = context.getWorkflowStaticData('node');
	const scope = nameOfNode(context);
	const response = context.getResponseObject();
	// If n8n fails after the sender has closed the connection, Node.js emits no event; only this property shows it.
	const leave = await inProgress.enter(`${scope} ${eventKey}`, () => response.writableEnded);
	if (leave === undefined) return { refused: 'inProgress' };
	if (repeatMemory.isKnown(scope, eventKey, data[STORED_REPEATS], Date.now())) {
		leave();
		return { isRepeat: true };
	}
	return {
		isRepeat: false,
		remember: () => {
			data[STORED_REPEATS] = repeatMemory.remember(scope, eventKey, Date.now());
			leave();
		},
	};
}
