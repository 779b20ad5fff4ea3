import { ASSISTANT_ID, FROM_NUMBER } from '../simulator/seed';
import { ada, bob, CONTINUE, useContacts } from './contacts';
import { credentialFor } from './world';

const { simulator, calls, outputs, reached } = useContacts();

const TEST_NUMBER = '+4930999999';

describe('a credential that only checks', () => {
	const check = () => ({ credential: { ...credentialFor(simulator()), mode: 'checkOnly' } });

	test('sends nothing and shows the request', async () => {
		const output = await outputs(calls([ada, { to: 'nobody' }], {}, { ...CONTINUE, ...check() }));

		const { workspaceId } = simulator();
		expect(output).toEqual([
			{
				toNumber: ada.to,
				result: 'checked',
				reason: null,
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

	test('shows the zones of a number, if they come from it', async () => {
		const number = { to: '+12125551234' };
		const hours = { allowedHours: '00:00-00:00', timezoneFromNumber: true };

		const [json] = await outputs(calls([number], hours, check()));

		expect(json).toMatchObject({ result: 'checked', timezones: ['America/New_York'] });
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
		const output = await outputs(calls([ada, bob], {}, redirect(), { simplify }));

		expect(output).toMatchObject([{ redirectedTo: TEST_NUMBER }, { redirectedTo: TEST_NUMBER }]);
		expect(output.map(({ toNumber }) => toNumber)).toEqual(
			simplify ? [ada.to, bob.to] : [undefined, undefined],
		);
		expect(reached()).toEqual({ [TEST_NUMBER]: 2 });
	});
});
