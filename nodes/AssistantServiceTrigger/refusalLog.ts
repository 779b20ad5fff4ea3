import type { IWebhookFunctions } from 'n8n-workflow';

import { steadyNow } from '../shared/time/clock';
import { joinTexts } from '../shared/values';
import { REFUSALS, type Refused } from './deliveryRefusals';
import { nameOfNode } from '../shared/nameOfNode';

/** The shortest time between two lines of a trigger with the same reason, in milliseconds. */
export const LINE_EVERY = 60_000;

/** How long a count of omitted lines is kept after the last line, in milliseconds. */
const KEPT_FOR = 24 * 3_600_000;

interface Line {
	readonly writtenAt: number;
	/** How many were omitted since then. */
	omitted: number;
}

/**
 * Allows one line per name within `LINE_EVERY`, so that no sender can fill the log. Each process counts for itself and
 * starts anew after a restart.
 */
export class LogLimit {
	private readonly lines = new Map<string, Line>();

	/**
	 * Takes the place of a line. Gives how many were omitted since the last one, or `undefined` if this one is omitted too.
	 *
	 * @param now milliseconds of a clock that is never set back
	 */
	take(name: string, now: number): number | undefined {
		const last = this.lines.get(name);
		if (last !== undefined && now - last.writtenAt < LINE_EVERY) {
			last.omitted++;
			return undefined;
		}
		for (const [other, { writtenAt }] of this.lines) {
			if (now - writtenAt >= KEPT_FOR) this.lines.delete(other);
		}
		this.lines.set(name, { writtenAt: now, omitted: 0 });
		return last?.omitted ?? 0;
	}
}

const limit = new LogLimit();

/** True for a delivery to the test URL, on which n8n listens while somebody looks at the editor. */
export const isListening = (context: IWebhookFunctions): boolean => context.getMode() === 'manual';

/**
 * Writes to n8n's log why a delivery was refused: each time while somebody listens in the editor, else once a minute
 * for each reason and trigger. Names the trigger and its workflow; holds neither the secret nor anything of the delivery.
 */
export function logRefusal(context: IWebhookFunctions, { refused, cause }: Refused): void {
	const name = `${nameOfNode(context)} ${refused}`;
	const omitted = isListening(context) ? 0 : limit.take(name, steadyNow());
	if (omitted === undefined) return;
	const { kind, httpStatus, message, hint, level } = REFUSALS[refused];
	const { id: workflowId = '' } = context.getWorkflow();
	const trigger = context.getNode().name;
	// By default n8n prints the text alone, so the text holds everything.
	const line = [
		`The trigger "${trigger}" of workflow ${workflowId} refused a delivery with ${httpStatus}: ${message}`,
		hint,
		omitted === 0 ? '' : `${omitted} more were refused for this reason since the last such line.`,
		cause === undefined ? '' : `The error was: ${cause}`,
	];
	context.logger[level](joinTexts(line), {
		workflowId,
		nodeName: trigger,
		reason: refused,
		kind,
	});
}
