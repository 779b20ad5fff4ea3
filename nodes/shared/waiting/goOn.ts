import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { z } from 'zod';

import { createBookAccess } from '../book/bookTransport';
import { toBookProblem } from '../book/bookProblem';
import { checkCredential } from '../service/credential';
import { CREDENTIAL } from '../service/transport';
import { isObject } from '../values';
import { isGoingOn, withEnds } from './calls';
import { STORE_KEY, waits } from './waitForCalls';
import { openRows, rowsOfWait } from './rowsOfWait';

/** What was left in n8n's context of the node. */
const state = z
	.object({ [STORE_KEY]: z.object({ wait: z.string(), until: z.number() }) })
	.transform((context) => context[STORE_KEY]);

const inputItems = z.array(
	z.custom<INodeExecutionData>((item) => isObject(item) && isObject(item.json)),
);

/**
 * Answers a request that is to resume the execution: it goes on if all calls have ended by the rows
 * of the contact book, or the time is over, and waits on if not.
 */
export async function goOn(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const node = JSON.stringify(context.getNode().name).replaceAll('}', '\\u007d');
		const { wait, until } = state.parse(evaluate(context, `$node[${node}].context`));
		const items = inputItems.parse(evaluate(context, '$input.all()'));
		const credential = await context.getCredentials(CREDENTIAL);
		const { book: settings } = checkCredential(credential);
		if (settings === undefined) throw new Error('The credential has no contact book any more');
		const table = await openRows(createBookAccess(context, credential, settings));
		const rows = await rowsOfWait(table, wait);
		const isOver = Date.now() >= until;
		if (!isOver && rows.some(isGoingOn)) return { webhookResponse: { resumed: false } };
		waits.get(wait)?.abort();
		waits.delete(wait);
		return {
			workflowData: [withEnds(items, rows, isOver ? false : null)],
			webhookResponse: { resumed: true },
		};
	} catch (error) {
		// n8n would end the execution without its data.
		const problem = toBookProblem(error);
		context.logger.warn(`${context.getNode().name} still waits. ${problem.message}`);
		context.getResponseObject().status(503).json({ message: problem.message });
		return { noWebhookResponse: true };
	}
}

const evaluate = (context: IWebhookFunctions, expression: string): unknown =>
	context.evaluateExpression(`{{ ${expression} }}`, 0);
