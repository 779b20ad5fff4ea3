import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { ada, bob, CONTINUE, eve, useContacts } from './contacts';
import { retryRun, runNode, type NodeSetup } from './engine';
import { calledOnce, isFor, placeCall } from './world';

/** What was reached in an earlier try, and whose items are refused in a retry before they would be sent. */

const { simulator, calls, reached } = useContacts({ hasStore: false });

const ONE_AT_A_TIME = { maxConcurrentRequests: 1 };

const setup = (
	parameters: INodeParameters = {},
	credential: ICredentialDataDecryptedObject = {},
	settings: NodeSetup['settings'] = {},
): NodeSetup => ({
	...calls([ada, bob, eve], {}, { credential, settings }),
	parameters: { ...placeCall, options: ONE_AT_A_TIME, ...parameters },
});

/** Two are placed, the third is refused. */
async function twoPlaced() {
	simulator().addFault({ kind: 'status', status: 400, when: isFor(2), times: 1 });
	const failed = await runNode(setup());
	expect(reached()).toEqual(calledOnce([ada, bob]));
	return failed.run;
}

const FAULTS: [
	name: string,
	parameters: INodeParameters,
	credential: ICredentialDataDecryptedObject,
][] = [
	['a typo in Allowed Hours', { contactRules: { allowedHours: '9 to 5' } }, {}],
	['a typo in the Assistant ID', { assistantId: 'nobody' }, {}],
	['an expression that fails', { assistantId: "={{ $('Nobody').item.json.id }}" }, {}],
	['a missing key', {}, { apiKey: '' }],
	['a mode that gives nothing', {}, { mode: '' }],
];

test.each(FAULTS)(
	'a retry with %s counts or keeps who was reached, and reaches the others once it is corrected',
	async (_, parameters, credential) => {
		const first = await twoPlaced();
		const details = { kind: 'invalidInput', outcome: 'notSent' };

		const stopped = await retryRun(first, setup(parameters, credential));
		const goingOn = setup(parameters, credential, CONTINUE.settings);
		const { items } = await retryRun(first, goingOn);

		expect(stopped.error?.context.details).toMatchObject(details);
		expect(stopped.error?.description).toContain('Of 3 items: 2 placed, 1 not sent.');
		expect(stopped.error?.description).toContain(': a retry skips what was accepted.');
		expect(items.map(({ json }) => json.toNumber)).toEqual([ada.to, bob.to, undefined]);
		expect(items[2]?.json.details).toMatchObject(details);
		expect(simulator().requests).toHaveLength(3);

		const third = await retryRun(stopped.run, setup());

		expect(third.items).toHaveLength(3);
		expect(reached()).toEqual(calledOnce([ada, bob, eve]));
	},
);

test('a retry whose numbers cannot be read any more names who was reached, and reaches the others once corrected', async () => {
	const first = await twoPlaced();

	const { run, error } = await retryRun(first, setup({ toNumber: '={{ "0" + $json.to }}' }));

	expect(error?.context.details).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
	expect(error?.description).toContain(
		'are not among these any more: +15550001000 (row 1 of that try), +15550001001 (row 2 of that try).',
	);
	expect(simulator().requests).toHaveLength(3);

	const third = await retryRun(run, setup());

	expect(third.items).toHaveLength(3);
	expect(reached()).toEqual(calledOnce([ada, bob, eve]));
});

describe('Send Again', () => {
	const sendAgain = { options: { ...ONE_AT_A_TIME, ifOutcomeUnknown: 'sendAgain', maxWait: 1 } };
	const oneUnknown = async () => {
		simulator().addFault({ kind: 'resetAfter', when: isFor(1), times: 1 });
		return (await runNode(setup())).run;
	};

	test('is told of, also by the error of another item', async () => {
		const first = await oneUnknown();
		simulator().addFault({ kind: 'status', status: 400, when: isFor(2), times: 1 });

		const { error } = await retryRun(first, setup(sendAgain));

		expect(error?.description).toContain(
			'1 item, unknown after an earlier try, was sent now. "If Unsure Whether',
		);
	});

	test('of an item that is refused now: the error says why, and that it may have been sent before', async () => {
		const first = await oneUnknown();
		simulator().addFault({ kind: 'status', status: 400, when: isFor(1), times: 1 });

		const second = await retryRun(first, setup(sendAgain));

		expect(second.error?.message).toBe(
			'The service rejected the values of this item, and an earlier try may have sent it: +15550001001',
		);
		expect(second.error?.context.details).toMatchObject({
			kind: 'invalidInput',
			outcome: 'unknown',
			httpStatus: 400,
		});
		// A later one that does not send it says what is unknown, not why another one was refused.
		const third = await retryRun(second.run, setup({}, {}, CONTINUE.settings));
		expect(third.items[1]?.json).toMatchObject({
			error: expect.stringContaining('connection') as unknown,
			details: { outcome: 'unknown', httpStatus: null },
		});
	});

	test.each([
		['asks to wait', { kind: 'rateLimited', retryAfter: '3000', times: 1 }],
		['says that the key is wrong', { kind: 'status', status: 401, times: 1 }],
	] as const)(
		'of an item that is not sent because the service %s: it stays unknown, and is not sent later',
		async (_, fault) => {
			const first = await oneUnknown();
			simulator().addFault({ ...fault, when: isFor(1) });

			const second = await retryRun(first, setup(sendAgain, {}, CONTINUE.settings));
			expect(second.items[1]?.json.details).toMatchObject({ outcome: 'unknown' });

			await retryRun(second.run, setup({}, {}, CONTINUE.settings));
			expect(reached()[bob.to]).toBe(1);
		},
	);
});
