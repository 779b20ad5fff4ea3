import { people, PLACE_CALL } from './calls';
import { jsonOf, runOneNode, useWorld, withCredential } from './world';

const world = useWorld();

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
