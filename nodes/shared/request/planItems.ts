import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { OF_SETTINGS } from '../answer/agentAdvice';
import { createFailure, type Failure } from '../answer/failure';
import type { Field } from '../declaration/field';
import type { Operation } from '../declaration/operation';
import { refuseAll, type Planned, type Unsendable } from './planned';
import { createYielder } from '../time/wait';
import { forgetLists } from '../outreach/doNotContact';
import { createParameterReader } from './parameterReader';
import { describeBlanks, noteBlanks, type BlankFields } from './blankFields';
import type { CredentialSettings } from './credential';
import { problemOf } from './reading';
import { planItem, type FaultyItem } from './request';
import { createInputName } from './subject';
import { isBlank, isObject, listFirst, shorten } from '../values';

/** The items of a run, read and checked. */
export interface PlannedRun {
	/** By index. */
	readonly planned: readonly Planned[];
	/** What is empty because its expression gave nothing, in sentences, if the credential only checks. */
	readonly blanks: string;
}

/** Reads and checks all items of the node. Nothing is sent here. */
export async function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	settings: CredentialSettings,
	isTool: boolean,
): Promise<PlannedRun> {
	const yieldIfDue = createYielder();
	const isCheckOnly = settings.mode.kind === 'checkOnly';
	const { parameters } = context.getNode();
	const canCorrect = (faulty: readonly string[]): boolean =>
		!isTool || (faulty.length > 0 && faulty.every((name) => isOfModel(parameters, name)));
	const refuse = (
		item: FaultyItem,
		index: number,
		given: ReadonlyMap<Field, unknown>,
	): Unsendable => {
		const isRefusedWithRun = isOfAllItems(parameters, item.faulty);
		const isOfEntries = item.faulty.every((name) => name.includes('.'));
		const row = isTool || (isRefusedWithRun && isOfEntries) ? undefined : index + 1;
		const lacks = [...given].some(
			([{ property }, value]) => item.faulty.includes(property.name) && isBlank(value),
		);
		const where = row === undefined ? '' : ` (row ${row})`;
		const has = lacks && !isTool ? describeProperties(items[index]?.json) : '';
		return { ...unsendable(item, where + has, canCorrect(item.faulty)), isRefusedWithRun };
	};
	const nameInput = createInputName(operation, parameters);
	// A copy: expressions can change the order of n8n's own.
	const items = [...context.getInputData()];
	const read = createParameterReader(context, operation, items, isTool);
	const blanks: BlankFields = new Map();
	const planned: Planned[] = [];
	for (const [index, { json }] of items.entries()) {
		const given = new Map<Field, unknown>();
		const readParameter = (field: Field): unknown => {
			const value = read(field, index);
			given.set(field, value);
			return value;
		};
		try {
			const input = (): string => nameInput(json);
			const item = planItem(operation, readParameter, settings, input, isTool);
			if (isCheckOnly && !('problems' in item)) noteBlanks(blanks, index + 1, given, parameters);
			// Last: what throws before is added below.
			planned.push('problems' in item ? refuse(item, index, given) : item);
		} catch (error) {
			const known = { operation, properties: {}, simplify: true };
			const item = { ...known, problems: [problemOf(error)], isOfItem: true, faulty: [] };
			planned.push(refuse(item, index, given));
		}
		await yieldIfDue();
	}
	forgetLists();
	return { planned: limitPeople(planned), blanks: describeBlanks(blanks) };
}

/** True if the model of an agent fills the parameter. */
const isOfModel = (parameters: INodeParameters, name: string): boolean =>
	/\$fromai\b/i.test(JSON.stringify([enteredFor(parameters, name)]));

/** True if all faulty parameters are the same for all items: none of them has an expression. */
const isOfAllItems = (parameters: INodeParameters, faulty: readonly string[]): boolean =>
	faulty.length > 0 &&
	faulty.every((name) => !JSON.stringify([enteredFor(parameters, name)]).includes('"='));

/**
 * What was entered for a parameter.
 *
 * @param name of a parameter, or of an entry of a collection, e.g. "options.timeout"
 */
const enteredFor = (parameters: INodeParameters, name: string): unknown =>
	name
		.split('.')
		.reduce<unknown>((whole, part) => (isObject(whole) ? whole[part] : undefined), parameters);

/** Names what an expression can read of an item: `; the item has "phone ", "name"`. */
function describeProperties(item: IDataObject = {}): string {
	const names = Object.keys(item).map((name) => `"${shorten(name)}"`);
	return names.length > 0 ? `; the item has ${listFirst(names, 10)}` : '';
}

/**
 * @param where names the row, and what its item has
 * @param canCorrect false if an agent runs the node, and its model cannot correct what is wrong
 */
function unsendable(
	{ problems, isOfItem, faulty, ...known }: FaultyItem,
	where: string,
	canCorrect: boolean,
): Unsendable {
	const failure = createFailure({
		kind: 'invalidInput',
		outcome: 'notSent',
		message: problems.join('; ') + (isOfItem ? where : ''),
		hint: isOfItem
			? 'Nothing was sent for this item. Correct the value and try again.'
			: 'Nothing was sent. Correct the credential and try again.',
		...(canCorrect ? {} : { advice: `Nothing was sent. ${OF_SETTINGS}` }),
	});
	return { ...known, failure };
}

/** If there are more items than the lowest Max Items per Run, none of them is sent. */
function limitPeople(planned: readonly Planned[]): readonly Planned[] {
	const limits = planned.map(({ contact }) => contact?.rules.maxPeople ?? 0);
	const limit = limits
		.filter((one) => one > 0)
		.reduce((one, other) => Math.min(one, other), Infinity);
	if (planned.length <= limit) return planned;
	return refuseAll(planned, tooMany(planned.length, limit));
}

const tooMany = (items: number, limit: number): Failure =>
	createFailure({
		kind: 'invalidInput',
		outcome: 'notSent',
		message: `Nothing was sent: this run has ${items} items, and "Max Items per Run" allows ${limit}`,
		hint: 'Check where the items come from, or raise "Max Items per Run" in the rules of contact.',
	});
