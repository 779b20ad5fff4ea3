import { readRunAList } from '../demo';
import { eventually } from '../eventually';
import { itemsOf, outputOf } from '../executions';
import type { SavedExecution, WorkflowDraft } from '../restTypes';
import { readExample } from '../setup';
import { nodeOf } from '../workflows';
import { textOf } from './contactBook';
import type { World } from './world';

/** The people of the list. */
export const [ADA, GRACE, KATHERINE, MARY, DOROTHY] = [
	...['+12125550101', '+12125550102', '+12125550103', '+12125550104', '+12125550105'],
] as const;

/** The example *Run a list*, which starts when a test says so. */
export function runAList(): WorkflowDraft {
	const draft = readRunAList();
	const never = { field: 'cronExpression', expression: '0 0 29 2 *' };
	nodeOf(draft, 'Every Hour').parameters.rule = { interval: [never] };
	return draft;
}

/** What became of each person, in the order of the list. */
export const resultsOf = (execution: SavedExecution): unknown[] =>
	(outputOf(execution, 'Place Call')[0] ?? []).map(({ json }) => json.reason ?? json.result);

/** Ends the call to somebody; resolves when n8n has taken the event. */
export async function endCall(
	{ simulator }: World,
	phone: string,
	event: Record<string, unknown>,
): Promise<void> {
	const call = await eventually(`a call to ${phone}`, () => {
		const { calls } = simulator.state();
		return Promise.resolve(
			calls.findLast(({ toNumber, endedAt }) => toNumber === phone && !endedAt),
		);
	});
	const deliveries = await simulator.endCall(call.id, event);
	expect(deliveries.map(({ status }) => status)).toEqual([200]);
}

/** The example *List report* of what the book says now. */
export async function report(
	{ client }: World,
	change: (draft: string) => string = (draft) => draft,
) {
	const draft = JSON.parse(
		change(JSON.stringify(readExample('list-report.json'))),
	) as WorkflowDraft;
	const { id } = await client.createWorkflow(draft);
	const execution = await client.run(id, 'Every Evening');
	expect(execution.status).toBe('success');
	const [[row], [page]] = [itemsOf(execution, 'Report Row'), itemsOf(execution, 'Report Page')];
	return { row, html: textOf(page?.html) };
}
