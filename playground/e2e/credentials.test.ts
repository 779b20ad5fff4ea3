import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { people, PLACE_CALL } from './calls';
import { jsonOf, runOneNode, useWorld, withCredential } from './world';

const world = useWorld();

/** What the button "Test" says when these values are typed in. */
async function test(changes: ICredentialDataDecryptedObject = {}) {
	const { baseUrl, apiKey, workspaceId } = world().simulator;
	const data = { baseUrl, apiKey, workspaceId, ...changes };
	return await world().client.testCredential(world().credentials.assistantServiceApi, data);
}

/** What else it says is in test/engine/apiCredentialTest.test.ts. */
describe('the test of the API credential', () => {
	it('takes a good key, names the mode, and says what is wrong with a bad one', async () => {
		expect(await test()).toEqual({
			status: 'OK',
			message:
				'Connected: the service accepts the key for this workspace. Mode Check Only: nothing that reaches people or changes data is sent.',
		});
		expect(await test({ apiKey: 'wrong' })).toEqual({
			status: 'Error',
			message:
				'The API key is not valid (HTTP 401). The answer says: "API key not valid". Enter the API key of this workspace, and check that the Workspace ID belongs to it.',
		});
	});
});

describe('a mode that is an expression', () => {
	it.each(['={{ undefined }}', '={{ $vars.mode }}', '={{ $json.mode }}', '={{ "" }}'])(
		'%s gives nothing, so nothing is sent',
		async (mode) => {
			const { baseUrl, apiKey, workspaceId } = world().simulator;
			// n8n wants a test number as soon as the mode is an expression.
			const data = { baseUrl, apiKey, workspaceId, testNumber: '+4915112345678', mode };
			const changed = await withCredential(world(), data);
			const execution = await runOneNode(changed, PLACE_CALL, people(2), {
				onError: 'continueRegularOutput',
			});

			expect(jsonOf(execution)[0]).toMatchObject(
				people(2).map(() => ({
					error: expect.stringMatching(/Mode of the credential/) as unknown,
					details: { kind: 'invalidInput', outcome: 'notSent' },
				})),
			);
			expect(world().simulator.requests).toEqual([]);
		},
	);
});
