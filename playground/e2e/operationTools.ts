import type { INode, INodeParameters } from 'n8n-workflow';
import type { OperationRow } from '../../test/operations/row';
import { pathOf } from '../../test/operations/row';
import { operationOf } from '../../test/shared/samples';
import { node } from '../workflows';
import type { ToolUse } from './modelServer';
import type { World } from './world';

/** An operation as a tool that takes all values from the model, and one use of it. */
export interface OperationTool {
	node: INode;
	use: ToolUse;
}

/** The tool of a row: each text, number and truth value that the user enters there is asked of the model, menus by name. */
export function toolOf({ credentials }: World, row: OperationRow): OperationTool {
	const { resource, operation } = row;
	const name = `${resource}_${operation}`;
	const values: Record<string, unknown> = {};
	const ask = (key: string, value: unknown): string => {
		const argument = `${key}_${Object.keys(values).length}`;
		values[argument] = nameOfEntry(row, key, value);
		return `={{ $fromAI('${argument}', '', '${typeof values[argument]}') }}`;
	};
	const entered = { ...emptyOf(row), ...row.parameters };
	const parameters = JSON.parse(JSON.stringify(entered), (key, value: unknown) => {
		if (key === 'mode') return 'id';
		return typeof value === 'object' || key === '__rl' ? value : ask(key, value);
	}) as INodeParameters;
	const type = 'n8n-nodes-assistant-service.assistantServiceTool';
	return {
		node: node(
			type,
			name,
			{ resource, operation, ...parameters },
			{ credentials: { ...credentials } },
		),
		use: { tool: name, arguments: values },
	};
}

/** n8n wants a value in the required fields of all entries of a menu that the model fills; those that do not count are empty. */
function emptyOf(row: OperationRow): Record<string, string> {
	const isAsked = (name: string): boolean => row.parameters[name] !== undefined;
	const required = operationOf(pathOf(row)).fields.filter(
		({ property, conditions = [] }) =>
			property.required === true && conditions.some(({ name }) => isAsked(name)),
	);
	return Object.fromEntries(required.map(({ property }) => [property.name, '']));
}

/** What the panel calls a value, if it is one of a menu. */
function nameOfEntry(row: OperationRow, field: string, value: unknown): unknown {
	const { fields } = operationOf(pathOf(row));
	const menu = fields.find(({ property }) => property.name === field)?.property;
	const entries = menu?.type === 'options' ? (menu.options ?? []) : [];
	return entries.find((entry) => 'value' in entry && entry.value === value)?.name ?? value;
}
