import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { createFailure } from '../../../nodes/shared/answer/failure';
import type { Operation } from '../../../nodes/shared/declaration/operation';
import { failed, type RunResult } from '../../../nodes/shared/delivery/result';
import { outputItems } from '../../../nodes/shared/output/outputItems';
import { node, operationOf, planOf } from '../samples';

const placed = (callId: string): RunResult => ({
	accepted: true,
	body: { status: 'success', callId },
	via: 'main',
	added: {},
});

/** Works as long as the output of a long list of items would take. */
function simplifySlowly(answer: IDataObject): IDataObject {
	const end = Date.now() + 20;
	while (Date.now() < end);
	return answer;
}

/** A run of calls that has ended with these results. */
const ended = (
	results: RunResult[],
	more: { context?: object; simplify?: Operation['simplify'] },
) => ({
	context: {
		getNode: () => node,
		addExecutionHints: () => undefined,
		getExecutionCancelSignal: () => undefined,
		...more.context,
	} as unknown as IExecuteFunctions,
	operation: { ...operationOf('call.place'), ...(more.simplify && { simplify: more.simplify }) },
	host: {
		tool: undefined,
		executionId: '1',
		runIndex: '0',
		isRetry: false,
		retryToken: '',
		maxTries: 1,
	},
	mode: { kind: 'live' as const },
	planned: results.map(() => planOf('call.place')),
	results,
	findsRows: false,
	notices: [],
});

test('the output of many items gives way to the other work of n8n', async () => {
	const timer = jest.fn();
	setTimeout(timer, 0);
	const results = ['1', '2', '3'].map(placed);

	const items = await outputItems(ended(results, { simplify: simplifySlowly }), false);

	expect(items.map(({ json }) => json.callId)).toEqual(['1', '2', '3']);
	expect(timer).toHaveBeenCalled();
});

test('n8n saves nothing of a cancelled run, so its log says what became of the items', async () => {
	const info = jest.fn();
	const context = { getExecutionCancelSignal: () => AbortSignal.abort(), logger: { info } };
	const stopped = createFailure({
		kind: 'stopped',
		outcome: 'notSent',
		message: 'Not sent',
		hint: '',
	});

	const items = outputItems(ended([placed('1'), failed(stopped)], { context }), true);

	await expect(items).rejects.toThrow('the execution was canceled');
	expect(info).toHaveBeenCalledWith(
		'Assistant Service: canceled. Of 2 items: 1 placed, 1 not sent',
	);
});
