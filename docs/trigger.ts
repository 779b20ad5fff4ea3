import { STEPS, TEST_COMMAND, WITHOUT_CALL } from '../nodes/AssistantServiceTrigger/panel';
import { REFUSALS } from '../nodes/AssistantServiceTrigger/deliveryRefusals';
import { row, table } from './operations';

/** How the trigger is tried, as its panel says it. */
export function trialSteps(): string {
	const steps = STEPS.map((step, index) => `${index + 1}. ${step}`).join('\n');
	return `${steps}\n\n${WITHOUT_CALL}\n\n${trialCommand()}`;
}

/** The command that sends an event to the trigger. */
export const trialCommand = (): string => `\`\`\`sh\n${TEST_COMMAND}\n\`\`\``;

/** What the trigger refuses: what its sender is told. */
export function refusalsTable(): string {
	const rows = Object.values(REFUSALS).map(({ httpStatus, message, hint }) =>
		row(String(httpStatus), message, hint),
	);
	return table(['Status', '`error` in the body', '`hint` in the body'], rows);
}
