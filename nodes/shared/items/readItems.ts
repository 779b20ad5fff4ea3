import type { IExecuteFunctions } from 'n8n-workflow';

import { OF_SETTINGS } from '../answer/agentAdvice';
import type { Field } from '../declaration/field';
import type { Operation } from '../declaration/operation';
import { blanksOf, describeBlanks } from './blankFields';
import { isSendable, type Item, type Unsendable } from './item';
import { forgetLists } from '../rules/doNotContact';
import { createYielder } from '../time/wait';
import { createParameterReader } from './parameterReader';
import type { CredentialSettings } from '../service/credential';
import { readItem } from './readItem';
import { createInputName } from './subject';
import { shorten } from '../values';

/**
 * Reads and checks all items of the node. Nothing is sent here. If the run only checks, `blanks`
 * says what is empty because its expression gave nothing.
 */
export async function readItems(
	context: IExecuteFunctions,
	operation: Operation,
	settings: CredentialSettings,
	{ isTool, isCheckOnly }: { readonly isTool: boolean; readonly isCheckOnly: boolean },
): Promise<{ readonly items: readonly Item[]; readonly blanks: string }> {
	const { parameters } = context.getNode();
	// A copy: expressions can change the order of n8n's own.
	const input = [...context.getInputData()];
	const entered = (name: string): string =>
		JSON.stringify([context.getNodeParameter(name, 0, '', { rawExpressions: true })]);
	const locate = (item: Unsendable): Unsendable => {
		const { faults = [] } = item.failure;
		const fields = faults.map(({ field = '' }) => field);
		// What has no expression is the same for all items.
		const isRefusedWithRun = fields.every((name) => !entered(name).includes('"='));
		const isOfAll = isRefusedWithRun && fields.every((name) => name.includes('.'));
		const names = Object.keys(input[item.index]?.json ?? {});
		const isTold = !isTool && fields[0] !== '';
		const lacks = faults.some(
			({ kind, field }) => kind === 'empty' && field?.includes('.') === false,
		);
		const canCorrect = !isTool || fields.every((name) => /\$fromai\b/i.test(entered(name)));
		const failure = {
			...item.failure,
			...(isTold && !isOfAll && { row: item.index + 1 }),
			...(isTold && lacks && { properties: names.map((name) => `"${shorten(name)}"`) }),
			...(!canCorrect && { advice: `Nothing was sent. ${OF_SETTINGS}` }),
		};
		return { ...item, failure, isRefusedWithRun };
	};
	const nameInput = createInputName(operation, parameters);
	const read = createParameterReader(context, operation, input, isTool);
	const yieldIfDue = createYielder();
	const blanks: { name: string; row: number }[] = [];
	const items: Item[] = [];
	for (const [index, { json }] of input.entries()) {
		const enteredValues = new Map<Field, unknown>();
		const readParameter = (field: Field): unknown => {
			const value = read(field, index);
			enteredValues.set(field, value);
			return value;
		};
		const item = readItem(operation, readParameter, settings, () => nameInput(json), isTool, index);
		if (isCheckOnly && isSendable(item))
			for (const name of blanksOf(enteredValues, parameters)) blanks.push({ name, row: index + 1 });
		items.push(isSendable(item) ? item : locate(item));
		await yieldIfDue();
	}
	forgetLists();
	return { items, blanks: describeBlanks(blanks) };
}
