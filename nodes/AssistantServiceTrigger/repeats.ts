import type { IWebhookFunctions } from 'n8n-workflow';

import { InProgress } from './inProgress';
import { RepeatMemory } from './repeatMemory';

/** The name of the trigger's entry in n8n's static data. */
const STORED_REPEATS = 'repeats';

const repeatMemory = new RepeatMemory();
const inProgress = new InProgress();

/**
 * Whether the event is known; for a new one also the function that remembers it, once its execution has started.
 *
 * @param eventKey undefined for an event that is never a repeat
 */
export async function recognise(
	context: IWebhookFunctions,
	eventKey: string | undefined,
): Promise<{ recognised: 'new' | 'repeat' | 'inProgress'; remember?: () => void }> {
	const isWanted = context.getNodeParameter('options.ignoreRepeats', true) === true;
	// A test execution is not a delivery: the same event may be tried again and again.
	if (!isWanted || eventKey === undefined || context.getMode() === 'manual')
		return { recognised: 'new' };
	const data = context.getWorkflowStaticData('node');
	const scope = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const response = context.getResponseObject();
	// If n8n fails after the sender has closed the connection, Node.js emits no event: only this property shows it.
	const leave = await inProgress.enter(`${scope} ${eventKey}`, () => response.writableEnded);
	if (leave === undefined) return { recognised: 'inProgress' };
	if (repeatMemory.isKnown(scope, eventKey, data[STORED_REPEATS], Date.now())) {
		leave();
		return { recognised: 'repeat' };
	}
	return {
		recognised: 'new',
		remember: () => {
			data[STORED_REPEATS] = repeatMemory.remember(scope, eventKey, Date.now());
			leave();
		},
	};
}
