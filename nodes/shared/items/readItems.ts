import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { OF_SETTINGS } from '../answer/agentAdvice';
import { createFailure, type Failure } from '../answer/failure';
import type { Field } from '../declaration/field';
import type { Operation } from '../declaration/operation';
import { refuseAll, type Item, type Unsendable } from './item';
import { createYielder } from '../time/wait';
import { forgetLists } from '../rules/doNotContact';
import { createParameterReader } from './parameterReader';
import { describeBlanks, noteBlanks, type BlankFields } from './blankFields';
import type { CredentialSettings } from './credential';
import { problemOf } from './reading';
import { readItem, type Faulty } from './readItem';
import { createInputName } from './subject';
import { isBlank, isObject, listFirst, shorten } from '../values';

/** The items of a run, read and checked. */
export interface ReadRun {
	/** By index. */
	readonly items: readonly Item[];
	/** What is empty because its expression gave nothing, in sentences, if the credential only checks. */
	readonly blanks: string;
}

/** Reads and checks all items of the node. Nothing is sent here. */
export async function readItems(
	context: IExecuteFunctions,
	operation: Operation,
	settings: CredentialSettings,
	isTool: boolean,
): Promise<ReadRun> {
	const yieldIfDue = createYielder();
	const isCheckOnly = settings.mode.kind === 'checkOnly';
	const { parameters } = context.getNode();
	const canCorrect = (faulty: readonly string[]): boolean =>
		!isTool || (faulty.length > 0 && faulty.every((name) => isOfModel(parameters, name)));
	const refuse = (item: Faulty, given: ReadonlyMap<Field, unknown>): Unsendable => {
		const isRefusedWithRun = isOfAllItems(parameters, item.faulty);
		const isOfEntries = item.faulty.every((name) => name.includes('.'));
		const row = isTool || (isRefusedWithRun && isOfEntries) ? undefined : item.index + 1;
		const lacks = [...given].some(
			([{ property }, value]) => item.faulty.includes(property.name) && isBlank(value),
		);
		const note = lacks && !isTool ? describeProperties(input[item.index]?.json) : '';
		return { ...unsendable(item, { row, note }, canCorrect(item.faulty)), isRefusedWithRun };
	};
	const nameInput = createInputName(operation, parameters);
	// A copy: expressions can change the order of n8n's own.
	const input = [...context.getInputData()];
	const read = createParameterReader(context, operation, input, isTool);
	const blanks: BlankFields = new Map();
	const items: Item[] = [];
	for (const [index, { json }] of input.entries()) {
		const given = new Map<Field, unknown>();
		const readParameter = (field: Field): unknown => {
			const value = read(field, index);
			given.set(field, value);
			return value;
		};
		try {
			const name = (): string => nameInput(json);
			const item = readItem(operation, readParameter, settings, name, isTool, index);
			if (isCheckOnly && item.kind === 'sendable') noteBlanks(blanks, index + 1, given, parameters);
			// Last: what throws before is added below.
			items.push(item.kind === 'faulty' ? refuse(item, given) : item);
		} catch (error) {
			const read = { kind: 'faulty', index, operation, simplify: true } as const;
			const item = { ...read, problems: [problemOf(error)], isOfItem: true, faulty: [] };
			items.push(refuse(item, given));
		}
		await yieldIfDue();
	}
	forgetLists();
	return { items: limitPeople(items), blanks: describeBlanks(blanks) };
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
	{ problems, isOfItem, faulty, ...read }: Faulty,
	where: Pick<Failure, 'row' | 'note'>,
	canCorrect: boolean,
): Omit<Unsendable, 'isRefusedWithRun'> {
	const failure = createFailure({
		kind: 'invalidInput',
		outcome: 'notSent',
		message: problems.join('; '),
		...(isOfItem && { ...where, reason: faulty.join() }),
		hint: isOfItem ? 'Correct the value and try again.' : 'Correct the credential and try again.',
		...(canCorrect ? {} : { advice: `Nothing was sent. ${OF_SETTINGS}` }),
	});
	return { ...read, kind: 'unsendable', failure };
}

/** If there are more items than the lowest Max Items per Run, none of them is sent. */
function limitPeople(items: readonly Item[]): readonly Item[] {
	const limits = items.map(({ person }) => person?.rules.maxPeople ?? 0);
	const limit = limits
		.filter((one) => one > 0)
		.reduce((one, other) => Math.min(one, other), Infinity);
	return items.length <= limit ? items : refuseAll(items, tooMany(items.length, limit));
}

const tooMany = (items: number, limit: number): Failure =>
	createFailure({
		kind: 'invalidInput',
		outcome: 'notSent',
		message: `Nothing was sent: this run has ${items} items, and "Max Items per Run" allows ${limit}`,
		hint: 'Check where the items come from, or raise "Max Items per Run".',
	});
