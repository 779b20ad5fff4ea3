import { REFUSALS } from '../nodes/AssistantServiceTrigger/refusals';
import { row, table } from './operations';

/** What the trigger refuses: what its sender is told, and what n8n's log says to do. */
export function refusalsTable(): string {
	const rows = Object.values(REFUSALS).map(({ httpStatus, message, hint }) =>
		row(String(httpStatus), message, hint),
	);
	return table(['Status', '`error` in the body', "What to do, as in n8n's log"], rows);
}
