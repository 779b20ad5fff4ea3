import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { readCallIdProperty } from './callId';
import { readAllowlist } from './ipAllowlist';

/** The options that a user can set to an unusable value, with the functions that read them. */
const OPTION_READERS = { 'Call ID Property': readCallIdProperty, 'IP Allowlist': readAllowlist };

/** @throws NodeOperationError that names the first option that cannot be used */
export function checkOptions(context: IHookFunctions): void {
	for (const [option, read] of Object.entries(OPTION_READERS)) {
		try {
			read(context);
		} catch (error) {
			const reason = error instanceof Error ? error.message : 'it cannot be read';
			throw new NodeOperationError(context.getNode(), `${option}: ${reason}`, {
				description: `Correct the ${option} in the options of the trigger, then activate the workflow again.`,
			});
		}
	}
}
