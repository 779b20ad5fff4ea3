import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { AssistantService } from '../../nodes/AssistantService/AssistantService.node';

export const { description } = new AssistantService();

/** The parameter of this name, as an operation of this resource has it. */
export function parameterOf(name: string, resource?: string): INodeProperties {
	const found = description.properties.find(
		(property) =>
			property.name === name &&
			(resource === undefined || property.displayOptions?.show?.resource?.includes(resource)),
	);
	if (!found) throw new Error(`there is no parameter ${name} of ${resource ?? 'the node'}`);
	return found;
}

/** The entries of a menu, as the panel shows them. */
export const entriesOf = ({ options = [] }: INodeProperties): INodePropertyOptions[] =>
	options.filter((option): option is INodePropertyOptions => 'value' in option);

/** An operation, as the panel shows it. */
export function operationOf(resource: string, operation: string): INodePropertyOptions {
	const entries = entriesOf(parameterOf('operation', resource));
	const found = entries.find(({ value }) => value === operation);
	if (!found) throw new Error(`there is no operation ${resource}.${operation}`);
	return found;
}

/** What n8n shows of a text with tags. */
export const textOf = (html = ''): string => html.replaceAll(/<[^>]*>/g, '');
