import { WorkflowExpression, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { ASSISTANT_ID, FROM_NUMBER } from '../simulator/seed';
import { hold } from '../simulator/hold';
import { useDeduplicator } from './deduplicator';
import { runNode, startNode, type NodeSetup } from './engine';
import { callsByRecipient, credentialFor, numbers, placeCall, useSimulator } from './world';

const simulator = useSimulator();

let deduplicator: Awaited<ReturnType<typeof useDeduplicator>>;
beforeAll(async () => {
	deduplicator = await useDeduplicator();
});

/** Each test has a node of its own: n8n and the process remember by the node. */
let tests = 0;
beforeEach(() => {
	tests++;
	deduplicator.isBroken = false;
});

const TEST_NUMBER = '+4930999999';

const calls = (
	items: IDataObject[],
	options: INodeParameters = {},
	more: Partial<NodeSetup> = {},
): NodeSetup => ({
	credential: credentialFor(simulator()),
	parameters: { ...placeCall, options },
	items,
	nodeId: `node of test ${tests}`,
	...more,
});

const CONTINUE = { settings: { onError: 'continueRegularOutput' as const } };

const outputs = async (setup: NodeSetup): Promise<IDataObject[]> =>
	(await runNode(setup)).items.map(({ json }) => json);

const [ada = { to: '' }, bob = { to: '' }, eve = { to: '' }] = numbers(3);

/** Hours that are over, or have not begun, at this moment. */
function closedHours(): INodeParameters {
	const at = (offset: number): string =>
		new Date(Date.now() + offset * 3_600_000).toISOString().slice(11, 16);
	return { allowedHours: { values: [{ days: [], from: at(2), to: at(3) }] }, timezone: 'UTC' };
}

describe('a number on the list', () => {
	test('is held back, however it is written, and costs no request', async () => {
		const list = `${bob.to.replace('+', '00')}; +4915100000000`;

		const output = await outputs(calls([ada, bob], { doNotContact: list }));

		expect(output).toEqual([
			expect.objectContaining({ status: 'placed' }),
			{ sent: false, heldBack: { reason: 'doNotContact', notBefore: null }, toNumber: bob.to },
		]);
		expect(simulator().requests).toHaveLength(1);
	});

	test.each([['0151 12345678'], ['={{ $json.missing }}'], ['={{ null }}'], ['={{ [{ a: 1 }] }}']])(
		'is not looked for in %s: nothing is sent',
		async (doNotContact) => {
			const [json] = await outputs(calls([ada], { doNotContact }, CONTINUE));

			expect(json?.details).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
			expect(simulator().requests).toEqual([]);
		},
	);
});

describe('a list from an expression', () => {
	const timesRead = async (doNotContact: string): Promise<number> => {
		const evaluate = jest.spyOn(WorkflowExpression.prototype, 'getParameterValue');
		const options = { doNotContact, timezone: '={{ $json.timezone }}' };
		const items = [ada, bob, eve].map((item) => ({ ...item, timezone: 'UTC', listed: bob.to }));
		const output = await outputs(calls(items, options));
		expect(output.map(({ sent }) => sent)).toEqual([undefined, false, undefined]);
		return evaluate.mock.calls.filter(([entered]) => entered === doNotContact).length;
	};

	afterEach(() => jest.restoreAllMocks());

	test('of whole nodes is read once', async () => {
		expect(await timesRead('={{ $input.all().map(({ json }) => json.listed) }}')).toBe(1);
	});

	test('of the item is read for each item', async () => {
		expect(await timesRead('={{ $json.listed }}')).toBe(3);
	});
});

describe('allowed hours', () => {
	test('hold back what is outside, and say when it may be tried again', async () => {
		const [json] = await outputs(calls([ada], closedHours()));

		const { notBefore } = json?.heldBack as { notBefore: string };
		expect(json).toMatchObject({ sent: false, heldBack: { reason: 'outsideHours' } });
		expect(Date.parse(notBefore) - Date.now()).toBeGreaterThan(118 * 60_000);
		expect(Date.parse(notBefore) - Date.now()).toBeLessThanOrEqual(120 * 60_000);
		expect(simulator().requests).toEqual([]);
	});

	test('are looked at again when the turn has come', async () => {
		simulator().addFault({ kind: 'rateLimited', retryAfter: '2', times: 1 });
		const clock = jest.spyOn(Date, 'now');
		// The hours end after the first request.
		clock.mockImplementation(() =>
			Date.parse(`2026-03-02T${simulator().requests.length === 0 ? '17:59' : '18:00'}:30Z`),
		);
		const options = {
			allowedHours: { values: [{ days: ['mon'], from: '09:00', to: '18:00' }] },
			timezone: 'UTC',
		};

		const [json] = await outputs(calls([ada], options));
		clock.mockRestore();

		expect(json).toMatchObject({ sent: false, heldBack: { reason: 'outsideHours' } });
		expect(simulator().requests).toHaveLength(1);
		expect(callsByRecipient(simulator())).toEqual({});
	});

	test.each([
		['a time zone that does not exist', { timezone: 'Europe/Atlantis' }],
		['a time that does not exist', { allowedHours: { values: [{ from: '25:00', to: '18:00' }] } }],
		['a missing time', { allowedHours: { values: [{ from: '={{ $json.from }}', to: '18:00' }] } }],
	])('refuse %s', async (_, options) => {
		const [json] = await outputs(calls([ada], options, CONTINUE));

		expect(json?.details).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
		expect(simulator().requests).toEqual([]);
	});
});

describe('not again within', () => {
	const OPTIONS = { notAgainWithin: 24 };

	test('calls nobody twice over executions, nor within one', async () => {
		const first = await outputs(calls([ada, bob, ada], OPTIONS));
		const second = await outputs(calls([ada, eve], OPTIONS));

		expect(first).toMatchObject([
			{ status: 'placed' },
			{ status: 'placed' },
			{ sent: false, heldBack: { reason: 'contactedRecently' }, toNumber: ada.to },
		]);
		expect(second).toMatchObject([
			{ heldBack: { reason: 'contactedRecently' } },
			{ callId: expect.any(String) as string },
		]);
		expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 1, [bob.to]: 1, [eve.to]: 1 });
	});

	test('calls nobody twice in 20 executions at the same moment', async () => {
		const runs = await Promise.all(
			Array.from({ length: 20 }, async () => await outputs(calls([ada], OPTIONS))),
		);

		expect(runs.flat().filter(({ sent }) => sent === false)).toHaveLength(19);
		expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 1 });
	});

	test('calls the second of the same number if the first was refused', async () => {
		simulator().addFault({ kind: 'status', status: 400, times: 1 });

		const output = await outputs(calls([ada, ada, ada], OPTIONS, CONTINUE));

		expect(output).toMatchObject([
			{ details: { outcome: 'refused' } },
			{ status: 'placed' },
			{ heldBack: { reason: 'contactedRecently' } },
		]);
	});

	test('counts an unknown outcome', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });
		await outputs(calls([ada], OPTIONS, CONTINUE));

		const [json] = await outputs(calls([ada], OPTIONS, CONTINUE));

		expect(json).toMatchObject({ heldBack: { reason: 'contactedRecently' } });
	});

	test('leaves no mark of who was refused or never sent', async () => {
		simulator().addFault({ kind: 'status', status: 400, times: 1 });
		await runNode(calls([ada, bob], { ...OPTIONS, maxConcurrentRequests: 1 }));

		expect(deduplicator.rows.get(`node of test ${tests}`)).toEqual([]);
	});

	test('sends nothing while n8n cannot look it up', async () => {
		deduplicator.isBroken = true;

		const output = await outputs(calls([ada, bob], OPTIONS, CONTINUE));

		expect(output.map(({ details }) => details)).toMatchObject(
			Array(2).fill({ kind: 'stopped', outcome: 'notSent' }),
		);
		expect(simulator().requests).toEqual([]);
	});

	test('tells an agent not to try again while n8n cannot look it up', async () => {
		deduplicator.isBroken = true;
		const settings = { rewireOutputLogTo: 'ai_tool' as const };

		const { error } = await runNode(calls([ada], OPTIONS, { settings }));

		expect(error?.message).toMatch(/whom this node has contacted\. Do not repeat this tool call\./);
		expect(error?.message).not.toMatch(/database/);
		expect(error?.description).toMatch(/Check n8n's database/);
	});

	test('stops a run that stops on errors without waiting for anything', async () => {
		simulator().addFault({ kind: 'status', status: 400, times: 1 });

		const { error } = await runNode(
			calls([ada, ada, bob, bob], { ...OPTIONS, maxConcurrentRequests: 1 }),
		);

		expect(error?.context.itemIndex).toBe(0);
		expect(callsByRecipient(simulator())).toEqual({});
	});

	test('a cancelled run leaves the person to others', async () => {
		simulator().addFault({ kind: 'rateLimited', retryAfter: '500', times: 1 });
		const execution = startNode(calls([ada, ada], OPTIONS));
		while (simulator().requests.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
		execution.cancel();
		await execution.finished;

		expect(await outputs(calls([ada], OPTIONS))).toMatchObject([{ status: 'placed' }]);
	});

	test('a run that is cancelled while it claims somebody leaves the person to others', async () => {
		const record = deduplicator.checkProcessedAndRecord.bind(deduplicator);
		const [claim, cancelled] = [hold(), hold()];
		const slow = jest.spyOn(deduplicator, 'checkProcessedAndRecord');
		slow.mockImplementation(async (marks, ...others) => {
			// A person is claimed by several marks; that it is called is marked before, by one.
			if (marks.length > 1) {
				claim.release();
				await cancelled.until;
			}
			return await record(marks, ...others);
		});
		const execution = startNode(calls([ada], OPTIONS));
		await claim.until;
		execution.cancel();
		cancelled.release();
		await execution.finished;

		expect(await outputs(calls([ada], OPTIONS))).toMatchObject([{ status: 'placed' }]);
		expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 1 });
		slow.mockRestore();
	});

	test('counts from when the call was really placed', async () => {
		simulator().addFault({ kind: 'rateLimited', retryAfter: '2', times: 1 });
		await outputs(calls([ada], OPTIONS));
		const [refused] = simulator().requests;

		const [json] = await outputs(calls([ada], OPTIONS));

		const { notBefore } = json?.heldBack as { notBefore: string };
		const refusedAt = performance.timeOrigin + (refused?.at ?? Infinity);
		expect(Date.parse(notBefore) - refusedAt).toBeGreaterThan(24 * 3_600_000 + 1_000);
	});
});

test('the list comes first, then the memory of contacts, then the hours', async () => {
	const closed = { ...closedHours(), notAgainWithin: 24 };
	await outputs(calls([ada, bob], { notAgainWithin: 24 }));

	const output = await outputs(calls([ada, bob, eve], { ...closed, doNotContact: ada.to }));

	expect(output.map(({ heldBack }) => (heldBack as { reason: string }).reason)).toEqual([
		'doNotContact',
		'contactedRecently',
		'outsideHours',
	]);
});

test('held-back items can be left out', async () => {
	const options = { doNotContact: bob.to, heldBackItems: 'leaveOut' };

	const { items } = await runNode(calls([ada, bob, eve], options));

	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
});

test.each([
	['more items than Max People', 2, 0],
	['as many items as Max People', 3, 3],
])('%s', async (_, maxPeople, sent) => {
	const { error } = await runNode(calls([ada, bob, eve], { maxPeople }));

	expect(error?.context.details).toEqual(
		sent === 0 ? expect.objectContaining({ kind: 'invalidInput', outcome: 'notSent' }) : undefined,
	);
	expect(simulator().requests).toHaveLength(sent);
});

describe('a credential that only checks', () => {
	const check = () => ({ credential: { ...credentialFor(simulator()), mode: 'checkOnly' } });

	test('sends nothing and shows the request', async () => {
		const output = await outputs(calls([ada, { to: 'nobody' }], {}, { ...CONTINUE, ...check() }));

		const { workspaceId } = simulator();
		expect(output).toEqual([
			{
				sent: false,
				checked: true,
				request: {
					method: 'POST',
					path: `/v1/voice/placeoutboundcall/${workspaceId}/${ASSISTANT_ID}`,
					body: { fromNumber: FROM_NUMBER, toNumber: ada.to, priority: 1 },
				},
			},
			expect.objectContaining({
				details: expect.objectContaining({ kind: 'invalidInput' }) as object,
			}),
		]);
		expect(simulator().requests).toEqual([]);
	});

	test('holds back by the rules, and counts as no contact', async () => {
		const options = { notAgainWithin: 24, doNotContact: bob.to };
		const first = await outputs(calls([ada, bob, ada], options, check()));
		const second = await outputs(calls([ada], options));

		expect(first).toMatchObject([
			{ checked: true },
			{ heldBack: { reason: 'doNotContact' } },
			{ checked: true },
		]);
		expect(second).toMatchObject([{ status: 'placed' }]);
	});

	test('reads', async () => {
		const parameters = { resource: 'assistant', operation: 'getPrompt', assistantId: ASSISTANT_ID };

		expect(await outputs({ ...calls([{}], {}, check()), parameters })).toEqual([
			{ prompt: expect.any(String) as string },
		]);
	});
});

describe('a credential that redirects', () => {
	const redirect = () => ({
		credential: { ...credentialFor(simulator()), mode: 'redirect', testNumber: TEST_NUMBER },
	});

	test.each([true, false])('reaches the test number alone (simplify: %s)', async (simplify) => {
		const output = await outputs(calls([ada, bob], { simplify }, redirect()));

		expect(output).toMatchObject([{ redirectedFrom: ada.to }, { redirectedFrom: bob.to }]);
		expect(callsByRecipient(simulator())).toEqual({ [TEST_NUMBER]: 2 });
	});

	test('looks at the number that was entered, and leaves no contact for live', async () => {
		const options = { notAgainWithin: 24, doNotContact: bob.to };
		const redirected = await outputs(calls([ada, bob, ada], options, redirect()));
		const live = await outputs(calls([ada], options));

		expect(redirected).toMatchObject([
			{ redirectedFrom: ada.to },
			{ heldBack: { reason: 'doNotContact' }, toNumber: bob.to },
			{ heldBack: { reason: 'contactedRecently' }, toNumber: ada.to },
		]);
		expect(live).toMatchObject([{ status: 'placed' }]);
	});

	test('refuses a bulk campaign', async () => {
		const parameters = {
			resource: 'campaign',
			operation: 'createBulk',
			assistantId: ASSISTANT_ID,
			fromNumber: FROM_NUMBER,
			sheetUrl: 'https://example.com/contacts.xlsx',
		};
		const { error } = await runNode({ ...calls([{}], {}, redirect()), parameters });

		expect(error?.context.details).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
		expect(simulator().requests).toEqual([]);
	});
});

describe('the summary of a run', () => {
	const hintsOf = async (setup: NodeSetup) => {
		const { run } = await runNode(setup);
		return Object.values(run.data.resultData.runData)
			.flat()
			.flatMap(({ hints = [] }) => hints);
	};

	test('counts what became of the items', async () => {
		const options = { doNotContact: bob.to };

		expect(await hintsOf(calls([ada, bob, eve], options))).toMatchObject([
			{ message: 'Of 3 items: 2 placed, 1 held back.', type: 'info' },
		]);
	});

	test('warns of what is unknown', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });

		const [hint] = await hintsOf(calls([ada], {}, CONTINUE));

		expect(hint).toMatchObject({ type: 'warning' });
		expect(hint?.message).toMatch(/^Of 1 item: 1 unknown\. Items with an unknown outcome/);
	});

	test('is not there for one accepted item, unless the credential is not live', async () => {
		const credential = { ...credentialFor(simulator()), mode: 'checkOnly' };

		expect(await hintsOf(calls([ada]))).toEqual([]);
		expect(await hintsOf(calls([ada], {}, { credential }))).toMatchObject([
			{ message: expect.stringMatching(/nothing that reaches people .* was sent/) as string },
		]);
	});
});
