import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { freePort } from '../processes';
import { apiCredentialData } from '../setup';
import { openWorld, type World } from './world';

let world: World;

beforeAll(async () => {
	world = await openWorld();
});

afterAll(async () => {
	await world.simulator.stop();
});

/** What the button "Test" says when these values are typed in. */
async function test(changes: ICredentialDataDecryptedObject) {
	const data = { ...apiCredentialData(world.simulator), ...changes };
	return await world.client.testCredential(world.credentials.assistantServiceApi, data);
}

describe('the test of the API credential', () => {
	it.each(['', '/', '/v1', '/v1/'])(
		'takes a good key and an address that ends in "%s"',
		async (end) => {
			const result = await test({ baseUrl: `${world.simulator.baseUrl}${end}` });
			expect(result.status).toBe('OK');
		},
	);

	it('refuses a wrong key and says so', async () => {
		const result = await test({ apiKey: 'wrong' });
		expect(result).toEqual({
			status: 'Error',
			message: expect.stringMatching(/unauthorized|key/i) as unknown,
		});
	});

	it('refuses a key that is not allowed in this workspace', async () => {
		const result = await test({ apiKey: world.simulator.forbiddenApiKey });
		expect(result).toEqual({
			status: 'Error',
			message: expect.stringMatching(/forbidden|not allowed|key/i) as unknown,
		});
	});

	it('says that nobody answers at the address', async () => {
		const result = await test({ baseUrl: `http://127.0.0.1:${await freePort()}` });
		expect(result).toEqual({
			status: 'Error',
			message: expect.stringMatching(/refused|reach|connect/i) as unknown,
		});
	});

	it('reports a service that fails', async () => {
		world.simulator.addFault({ kind: 'status', status: 500, times: 1 });
		expect((await test({})).status).toBe('Error');
	});
});
