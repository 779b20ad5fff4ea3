import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { RunResult } from '../../nodes/shared/delivery/memory/entry';
import { putOut } from '../../nodes/shared/putOut';
import { node, operationOf, planOf } from './samples';

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

test('putting out many items gives way to the other work of n8n', async () => {
	const timer = jest.fn();
	setTimeout(timer, 0);
	const context = {
		getNode: () => node,
		addExecutionHints: () => undefined,
		getExecutionCancelSignal: () => undefined,
	};
	const operation = { ...operationOf('call.place'), simplify: simplifySlowly };
	const results = ['1', '2', '3'].map(placed);
	const run = {
		context: context as unknown as IExecuteFunctions,
		operation,
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
		notice: '',
	};

	const items = await putOut(run, false);

	expect(items.map(({ json }) => json.callId)).toEqual(['1', '2', '3']);
	expect(timer).toHaveBeenCalled();
});
