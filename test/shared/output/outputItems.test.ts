import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../../nodes/shared/declaration/operation';
import { STOPPED } from '../../../nodes/shared/delivery/deliveryFailures';
import { failed, type Outcome } from '../../../nodes/shared/delivery/outcome';
import type { Host } from '../../../nodes/shared/host';
import { outputItems } from '../../../nodes/shared/output/outputItems';
import { hostOf, operationOf, planOf } from '../samples';

const placed = (callId: string): Outcome => ({
	kind: 'accepted',
	body: { status: 'success', callId },
	via: 'main',
});

/** Works as long as the output of a long list of items would take. */
function simplifySlowly(answer: IDataObject): IDataObject {
	const end = Date.now() + 20;
	while (Date.now() < end);
	return answer;
}

function ended(
	outcomes: Outcome[],
	more: { simplify?: Operation['simplify'] } = {},
	host: Partial<Host> = {},
) {
	const operation = { ...operationOf('call.place'), ...more };
	return {
		operation,
		host: hostOf(host),
		mode: { kind: 'live' as const },
		items: outcomes.map((_, index) => ({ ...planOf('call.place'), operation, index })),
		outcomes,
		blanks: '',
		memory: { acceptedBefore: 0, sentAgain: 0, isBarred: false },
		notes: { hasEarlier: false },
		missing: [],
		stopOnFailure: false,
	};
}

test('the output of many items gives way to the other work of n8n', async () => {
	const timer = jest.fn();
	setTimeout(timer, 0);
	const results = ['1', '2', '3'].map(placed);

	const items = await outputItems(ended(results, { simplify: simplifySlowly }));

	expect(items.map(({ json }) => json.callId)).toEqual(['1', '2', '3']);
	expect(timer).toHaveBeenCalled();
});

test('n8n saves nothing of a cancelled run, so its log says what became of the items', async () => {
	const info = jest.fn();
	const logger = { info, warn: () => undefined };
	const run = ended([placed('1'), failed(STOPPED)], {}, { logger });
	const items = outputItems({ ...run, stopOnFailure: true, cancelSignal: AbortSignal.abort() });

	await expect(items).rejects.toThrow('the execution was canceled');
	expect(info).toHaveBeenCalledWith(
		'Assistant Service: canceled. Of 2 items: 1 placed, 1 not sent',
	);
});
