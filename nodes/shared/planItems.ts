import type { IExecuteFunctions } from 'n8n-workflow';

import { createFailure, type Failure } from './answer/failure';
import type { Field } from './declaration/field';
import type { Operation } from './declaration/operation';
import { MAX_WAIT } from './declaration/options';
import { isFailure, type Planned } from './delivery/planned';
import { createBreather } from './delivery/wait';
import { forgetNumbers } from './outreach/doNotContact';
import { createParameterReader } from './parameterReader';
import type { CheckedCredential } from './request/credential';
import { createInputHash } from './request/itemKeys';
import { planItem } from './request/request';

/** Reads and checks all items of the node. Nothing is sent here. */
export async function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	credential: CheckedCredential,
	isTool: boolean,
): Promise<Planned[]> {
	const breathe = createBreather();
	const identify = createInputHash(operation, context.getNode().parameters);
	// A copy: expressions can change the order of n8n's own.
	const items = [...context.getInputData()];
	const read = createParameterReader(context, operation, items);
	const maxWait = isTool ? MAX_WAIT.tool : MAX_WAIT.workflow;
	const planned: Planned[] = [];
	for (const [index, { json }] of items.entries()) {
		const readParameter = (field: Field): unknown => read(field, index);
		try {
			const plan = planItem(operation, readParameter, credential, identify(json), maxWait);
			planned.push('problems' in plan ? refuse(plan.problems) : plan);
		} catch (error) {
			planned.push(refuse([problemOf(error)]));
		}
		await breathe();
	}
	forgetNumbers();
	return refuseTooMany(planned);
}

/** An expression that fails, or a value that is nested too deep for JavaScript. */
function problemOf(error: unknown): string {
	if (error instanceof RangeError) return 'A value of the item is nested too deep';
	return error instanceof Error ? error.message : 'The values of the item cannot be read';
}

const refuse = (problems: readonly string[]): Failure =>
	createFailure({
		kind: 'invalidInput',
		outcome: 'notSent',
		message: problems.join('; '),
		hint: 'Nothing was sent for this item. Correct the value and try again.',
	});

/** With more items than the lowest Max People, all of them are refused. */
function refuseTooMany(planned: Planned[]): Planned[] {
	const limits = planned.flatMap((one) =>
		isFailure(one) || !one.contact?.rules.maxPeople ? [] : one.contact.rules.maxPeople,
	);
	const limit = limits.reduce((least, one) => Math.min(least, one), Infinity);
	if (planned.length <= limit) return planned;
	const failure = createFailure({
		kind: 'invalidInput',
		outcome: 'notSent',
		message: `Max People: this run has ${planned.length} items, and at most ${limit} are allowed`,
		hint: 'Nothing was sent for any item. Check where the items come from, or raise Max People.',
	});
	return planned.map((one) => (isFailure(one) ? one : failure));
}
