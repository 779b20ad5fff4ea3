import type { INodeProperties } from 'n8n-workflow';

import { AssistantServiceApi } from '../credentials/AssistantServiceApi.credentials';
import { AssistantService } from '../nodes/AssistantService/AssistantService.node';
import { AssistantServiceTrigger } from '../nodes/AssistantServiceTrigger/AssistantServiceTrigger.node';
import { FROZEN_DEFAULTS } from './defaults';

const isOfTool = ({ displayOptions }: INodeProperties): boolean =>
	displayOptions?.show?.['@tool'] !== undefined;

/** The defaults of a property and of all within it, by their paths. */
const defaultsOf = (property: INodeProperties, parent = ''): [path: string, value: unknown][] => {
	const path = parent + property.name;
	const inner = (property.options ?? []).flatMap((option) => {
		if ('type' in option) return isOfTool(option) ? [] : defaultsOf(option, `${path}.`);
		if (!('values' in option)) return [];
		return option.values.flatMap((value) => defaultsOf(value, `${path}.${option.name}.`));
	});
	return [[path, property.default], ...inner];
};

/** Where a parameter is shown: "call.place", "call", or "" if everywhere. */
function placesOf({ displayOptions }: INodeProperties): string[] {
	const { resource = [''], operation = [''] } = displayOptions?.show ?? {};
	const both = [resource, operation].map((values) => (Array.isArray(values) ? values : []));
	const [resources = [], operations = []] = both.map((values) => values.map(String));
	return resources.flatMap((group) =>
		operations.map((one) => [group, one].filter((part) => part !== '').join('.')),
	);
}

function readDefaults(properties: INodeProperties[]) {
	const read: Record<string, Record<string, unknown>> = {};
	for (const property of properties) {
		for (const place of placesOf(property)) {
			read[place] = { ...read[place], ...Object.fromEntries(defaultsOf(property)) };
		}
	}
	return read;
}

test.each([
	['assistantService', new AssistantService().description],
	['assistantServiceTrigger', new AssistantServiceTrigger().description],
	['assistantServiceApi', new AssistantServiceApi()],
] as const)('the defaults of %s are those that saved workflows rely on', (name, { properties }) => {
	expect(readDefaults(properties)).toMatchObject(FROZEN_DEFAULTS[name]);
});
