import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { AssistantService } from '../../../nodes/AssistantService/AssistantService.node';
import type { Operation } from '../../../nodes/shared/declaration/operation';
import { createPredecessorFinder } from '../../../nodes/shared/items/item';
import { OPERATION_ROWS } from '../../operations';
import { casesOf, pathOf } from '../../operations/row';
import { operationOf, operations, planOf, valuesOf, withInner } from '../samples';

const { properties } = new AssistantService().description;

const shownFor = (name: string, value: string, { displayOptions }: INodeProperties): boolean =>
	displayOptions?.show?.[name]?.includes(value) === true;

const entriesOf = ({ options = [] }: INodeProperties): INodePropertyOptions[] =>
	options.filter((option): option is INodePropertyOptions => 'value' in option);

/** The menu entry and the fields of an operation as n8n shows them. */
function shown(path: string): { entry?: INodePropertyOptions; fields: INodeProperties[] } {
	const [resource = '', operation = ''] = path.split('.');
	const ofResource = properties.filter((property) => shownFor('resource', resource, property));
	const menu = ofResource.find(({ name }) => name === 'operation');
	return {
		entry: menu && entriesOf(menu).find(({ value }) => value === operation),
		fields: ofResource.filter((property) => shownFor('operation', operation, property)),
	};
}

test('the menu offers the operations of the contract, and no other', () => {
	const resource = properties.find(({ name }) => name === 'resource');
	const menus = properties.filter(({ name }) => name === 'operation');

	const offered = menus.flatMap((menu) =>
		entriesOf(menu).map(
			({ value }) => `${JSON.stringify(menu.displayOptions?.show?.resource)}.${value.toString()}`,
		),
	);

	const wanted = OPERATION_ROWS.map(pathOf);
	const groups = new Set(wanted.map((path) => path.split('.')[0]));
	expect(offered.sort()).toEqual(wanted.map((path) => path.replace(/^\w+/, '["$&"]')).sort());
	expect([...operations.keys()].sort()).toEqual(wanted.sort());
	expect(resource && entriesOf(resource).map(({ value }) => value)).toEqual([...groups].sort());
});

/** What not every row enters: what all have, how attributes are entered, and what is not sent. */
const NOT_OF_ROW = new Set([
	...['options', 'contactRules', 'toolDescription', 'notice'],
	...['specifyAttributes', 'attributesJson', 'waitAtMost'],
]);

describe.each(OPERATION_ROWS.map((row) => [pathOf(row), row] as const))('%s', (path, row) => {
	const operation: Operation = operationOf(path);
	const { entry, fields } = shown(path);
	const byName = new Map(operation.options.map(({ property }) => [property.name, property]));

	test('has the fields that its row enters, each of them once, and no other', () => {
		const names = fields.map(({ name }) => name);

		expect(new Set(names).size).toBe(names.length);
		const entered = casesOf(row).flatMap(({ parameters }) => Object.keys(parameters));
		const own = (all: string[]) => [...new Set(all)].filter((name) => !NOT_OF_ROW.has(name)).sort();
		expect(names).toContain('options');
		expect(own(names)).toEqual(own(entered));
	});

	test('has the options of every operation', () => {
		const always = ['workspaceId', 'simplify', 'maxConcurrentRequests', 'timeout'];
		const offered = fields.find(({ name }) => name === 'options')?.options?.map(({ name }) => name);

		// Of an option with another default in a tool there are two.
		expect([...new Set(offered)]).toEqual([...byName.keys()]);
		expect(offered).toEqual(expect.arrayContaining(always));
		expect(byName.has('ifOutcomeUnknown')).toBe(row.isSentOnce === true);
		expect(byName.has('checkOnly')).toBe(row.method !== 'GET');
		expect(operation.repeatable).toBe(row.isSentOnce !== true);
		expect(operation.specification).toBe(row.section);
		expect(byName.get('timeout')?.default).toBe(path.startsWith('chat.') ? 300_000 : 60_000);
	});

	test('says whom it writes for, and its items go one after the other for them, or says why for nobody', () => {
		const { recipient, writesFor } = operation;
		const [item] = casesOf(row).map((one) => planOf(path, valuesOf(one)));
		if (item === undefined) throw new Error('The row has no case');
		const behind = [item, item].map(createPredecessorFinder());

		if (recipient !== undefined) expect(writesFor).toEqual([recipient]);
		if ('nobody' in writesFor) expect(writesFor.nobody).toMatch(/^[a-z]+.+/);
		expect(behind).toEqual('nobody' in writesFor ? [[], []] : [[], [item]]);
	});

	test('explains itself', () => {
		expect(entry?.description).toMatch(/^[A-Z].+/);
		expect(entry?.action).toMatch(/^[A-Z].+/);
		const all = fields
			.flatMap(withInner)
			.filter(({ name, type }) => name !== 'options' && type !== 'notice');
		const texts = all.filter(({ type }) => type === 'string' || type === 'json');
		expect(all.filter(({ description = '' }) => !/^[A-Z].+/.test(description))).toEqual([]);
		expect(texts.filter(({ placeholder = '' }) => !/^e\.g\. ./.test(placeholder))).toEqual([]);
	});
});
