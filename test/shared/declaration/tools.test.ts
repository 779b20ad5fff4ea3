import {
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { AssistantService } from '../../../nodes/AssistantService/AssistantService.node';
import { NUMBER_FORMAT } from '../../../nodes/AssistantService/resources/fields';
import { node, operations, withInner } from '../samples';

const workflowType = new AssistantService().description;
/** As n8n makes a tool of a node that has a `toolDescription` of its own. */
const toolType: INodeTypeDescription = {
	...workflowType,
	name: `${workflowType.name}Tool`,
	displayName: `${workflowType.displayName} Tool`,
};

const PATHS = [...operations.keys()];

/** The node of an operation as n8n loads it, with all defaults. */
function nodeOf(type: INodeTypeDescription, path: string): INode {
	const [resource = '', operation = ''] = path.split('.');
	const given = { resource, operation };
	const read = NodeHelpers.getNodeParameters(type.properties, given, true, false, node, type);
	return { ...node, parameters: read ?? {} };
}

const shownIn = (type: INodeTypeDescription, path: string): INodeProperties[] => {
	const { parameters } = nodeOf(type, path);
	return type.properties.filter((property) =>
		NodeHelpers.displayParameter(parameters, property, node, type),
	);
};

const isProperty = (option: object): option is INodeProperties => 'type' in option;

const COLLECTIONS = ['contactRules', 'options'];

const optionsIn = (type: INodeTypeDescription, path: string): INodeProperties[] => {
	const { parameters } = nodeOf(type, path);
	return shownIn(type, path)
		.filter(({ name }) => COLLECTIONS.includes(name))
		.flatMap(({ options = [] }) => options)
		.filter(isProperty)
		.filter((option) => NodeHelpers.displayParameter({}, option, node, type, parameters));
};

const offeredIn = (type: INodeTypeDescription, path: string): string[] =>
	optionsIn(type, path).map(({ name }) => name);

const WITHOUT_EFFECT = [
	'maxConcurrentRequests',
	'requestsPerSecond',
	'atMostPerRun',
	'checkOnly',
	'heldBackItems',
];
const RULES = ['allowedHours', 'doNotContact', 'notAgainWithin', 'timezone'];

test.each(PATHS)('%s: a tool is offered the options that have an effect on it', (path) => {
	const inWorkflow = offeredIn(workflowType, path);

	const inTool = offeredIn(toolType, path);

	expect(inWorkflow).toEqual(expect.arrayContaining(WITHOUT_EFFECT.slice(0, 2)));
	expect(inTool).toEqual(inWorkflow.filter((name) => !WITHOUT_EFFECT.includes(name)));
	const rules = operations.get(path)?.rules === undefined ? [] : RULES;
	expect(inTool).toEqual(expect.arrayContaining(rules));
});

test.each(PATHS)('%s: Max Wait is added with the default that counts where it is', (path) => {
	const defaults = [workflowType, toolType].map((type) =>
		optionsIn(type, path).flatMap((one) => (one.name === 'maxWait' ? [one.default] : [])),
	);

	expect(defaults).toEqual([[600], [30]]);
});

test.each(PATHS)('%s: an agent reads its own description, which stands in the panel', (path) => {
	const { toolDescription = '', recipient } = operations.get(path) ?? {};
	const tool = nodeOf(toolType, path);
	const told = NodeHelpers.getToolDescriptionForNode(tool, { description: toolType });

	expect(told).toBe(toolDescription);
	expect(shownIn(workflowType, path).map(({ name }) => name)).not.toContain('toolDescription');
	expect(toolDescription).toMatch(/^[A-Z].*\.$/);
	expect(toolDescription.endsWith(NUMBER_FORMAT)).toBe(recipient === 'toNumber');
	expect(toolDescription).toMatch(recipient === undefined ? /^/ : /\breal\b.*Each use is another/);
});

/** The kinds of values that the editor's button "Let the model define this parameter" fills. */
const FILLED_BY_MODEL = ['string', 'number', 'boolean', 'json'];

test('every text, number and truth value of a tool can be filled by the model', () => {
	const all = PATHS.flatMap((path) => shownIn(toolType, path).flatMap(withInner));
	const isHidden = ({ displayOptions }: INodeProperties) => '@tool' in (displayOptions?.hide ?? {});
	const offered = all.filter((property) => !isHidden(property));
	const values = offered.filter(({ type }) => FILLED_BY_MODEL.includes(type));

	expect(values.length).toBeGreaterThan(100);
	expect(values.filter(({ noDataExpression }) => noDataExpression === true)).toEqual([]);
});
