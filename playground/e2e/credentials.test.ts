import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { answerWith, startOtherServer } from '../../test/otherServer';
import type { Fault } from '../../test/simulator/simulator';
import { freePort } from '../processes';
import { apiCredentialData } from '../setup';
import { useWorld } from './world';

const WRONG_ADDRESS =
	'Check the Base URL: it is the address that comes before /v1. If it is right, check the Workspace ID.';

const world = useWorld();

/** What the button "Test" says when these values are typed in. */
async function test(changes: ICredentialDataDecryptedObject) {
	const data = { ...apiCredentialData(world().simulator), ...changes };
	return await world().client.testCredential(world().credentials.assistantServiceApi, data);
}

describe('the test of the API credential', () => {
	it.each(['', '/', '/v1', '/v1/'])(
		'takes a good key and an address that ends in "%s"',
		async (end) => {
			const result = await test({ baseUrl: `${world().simulator.baseUrl}${end}` });
			expect(result).toEqual({
				status: 'OK',
				message: 'Connected: the service accepts the key for this workspace.',
			});
		},
	);

	it.each<[ICredentialDataDecryptedObject, string]>([
		[{ mode: 'live' }, ''],
		[
			{ mode: 'checkOnly' },
			' Mode Check Only: nothing that reaches people or changes data is sent.',
		],
		[
			{ mode: 'redirect', testNumber: '0049 151 12345678' },
			' Mode Redirect: calls and messages go to +4915112345678 instead of their recipients.',
		],
	])('names the mode of %j', async (changes, named) => {
		expect(await test(changes)).toEqual({
			status: 'OK',
			message: `Connected: the service accepts the key for this workspace.${named}`,
		});
	});

	it.each<[string, () => ICredentialDataDecryptedObject, string]>([
		[
			'no test number',
			() => ({ mode: 'redirect' }),
			'Test Number of the credential: expected a value, but it is empty. Correct it and test again.',
		],
		[
			'a test number without its country code',
			() => ({ mode: 'redirect', testNumber: '0151 12345678' }),
			'Test Number of the credential: expected a phone number of 7 to 15 digits that begins with the country code, e.g. +4915112345678, and without "(0)". Correct it and test again.',
		],
		[
			'a mode that is not known',
			() => ({ mode: 'unknown' }),
			'Mode of the credential: expected one of: live, checkOnly, redirect. Correct it and test again.',
		],
		[
			'a wrong key',
			() => ({ apiKey: 'wrong' }),
			'The API key is not valid (HTTP 401). The answer says: "API key not valid". Enter the API key of this workspace, and check that the Workspace ID belongs to it.',
		],
		[
			'a key that is not allowed in this workspace',
			() => ({ apiKey: world().simulator.forbiddenApiKey }),
			'The API key may not use this workspace (HTTP 403). The answer says: "Forbidden". Enter the API key of this workspace, or the ID of the workspace that the key belongs to.',
		],
		[
			'an address without its prefix, with a wrong key',
			() => ({ baseUrl: new URL(world().simulator.baseUrl).origin, apiKey: 'wrong' }),
			`This address does not answer like the service (HTTP 404). The answer says: "Not found". ${WRONG_ADDRESS}`,
		],
		[
			'a workspace that is no UUID',
			() => ({ workspaceId: 'mine' }),
			'Workspace ID of the credential: expected a UUID, e.g. 3f2b8c1e-5d4a-4e7b-9c6f-1a2b3c4d5e6f. Correct it and test again.',
		],
		[
			'an address that does not exist',
			() => ({ baseUrl: 'http://assistant.invalid/api' }),
			'The host of the Base URL was not found (ENOTFOUND). Check how it is written, and whether n8n can look it up.',
		],
	])('says what is wrong with %s', async (_, changes, message) => {
		expect(await test(changes())).toEqual({ status: 'Error', message });
	});

	it('says that nobody answers at the address', async () => {
		const result = await test({ baseUrl: `http://127.0.0.1:${await freePort()}` });
		expect(result).toEqual({
			status: 'Error',
			message:
				'The service could not be reached (ECONNREFUSED). Check the Base URL of the credential and the network between n8n and the service.',
		});
	});

	it.each<[string, Fault, string]>([
		[
			'a service that fails',
			{ kind: 'status', status: 500 },
			'The service failed to process the request (HTTP 500). The answer says: "Internal server error". Try again later. If the problem persists, contact the support of the service.',
		],
		[
			'a page',
			{ kind: 'html', status: 404 },
			`This address does not answer like the service (HTTP 404). ${WRONG_ADDRESS}`,
		],
		[
			'an empty 404',
			{ kind: 'empty', status: 404 },
			`This address does not answer like the service (HTTP 404). ${WRONG_ADDRESS}`,
		],
	])('reports %s', async (_, fault, message) => {
		world().simulator.addFault(fault);
		expect(await test({})).toEqual({ status: 'Error', message });
	});

	it('reports a redirect, and does not take the key along', async () => {
		const other = await startOtherServer(answerWith(200, '{"_id":"1","messages":[]}'));
		world().simulator.addFault({ kind: 'redirect', location: `${other.baseUrl}/api` });
		const result = await test({});
		await other.stop();
		expect(result).toEqual({
			status: 'Error',
			message:
				'This address redirects to another one, and the key is not sent there (HTTP 302). Enter the address that it leads to as Base URL, e.g. with https:// instead of http://.',
		});
		expect(other.requests).toEqual([]);
	});
});
