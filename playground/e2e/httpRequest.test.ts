import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { answerWith, startOtherServer } from '../../test/otherServer';
import { itemsOf } from '../executions';
import { chain, node } from '../workflows';
import { START, useOpened, useWorld } from './world';

const HTTP_REQUEST = 'HTTP Request';
const REFUSED =
	'The Assistant Service API credential is only for addresses under "Base URL", or under /api/v1/data-tables of "n8n URL". Enter such an address, or choose another credential.';
const REFUSED_METHOD =
	'Other nodes can send only GET requests with the Assistant Service API credential. To the service, the mode "Live" allows all. Choose the method GET, or another credential.';

const world = useWorld();
const other = useOpened(() => startOtherServer(answerWith(200, '{"mine": true}')));

beforeEach(() => {
	other().requests.length = 0;
});

/** Runs n8n's own HTTP Request node with the credential of the service. */
async function request(
	url: string,
	parameters: INodeParameters = {},
	credential = world().credentials.assistantServiceApi,
) {
	const authenticated = {
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'assistantServiceApi',
		options: {},
		...parameters,
	};
	const nodes = chain(
		node('n8n-nodes-base.manualTrigger', START),
		node('n8n-nodes-base.httpRequest', HTTP_REQUEST, authenticated, {
			typeVersion: 4.2,
			credentials: { assistantServiceApi: credential },
		}),
	);
	const { id } = await world().client.createWorkflow({ name: HTTP_REQUEST, ...nodes });
	const execution = await world().client.run(id, START);
	return {
		message: execution.data.resultData.error?.message,
		json: itemsOf(execution, HTTP_REQUEST),
	};
}

const knowledgeBase = () =>
	`${world().simulator.baseUrl}/v1/knowledgeBase/getKnowledgeBase/${world().simulator.workspaceId}/${world().simulator.knowledgeBaseId}`;

/** Takes the same page again and again, twice. */
const PAGINATION: INodeParameters = {
	options: {
		pagination: {
			pagination: {
				paginationMode: 'updateAParameterInEachRequest',
				parameters: { parameters: [{ type: 'qs', name: 'page', value: '1' }] },
				paginationCompleteWhen: 'receiveSpecificStatusCodes',
				statusCodesWhenComplete: '999',
				limitPagesFetched: true,
				maxRequests: 2,
			},
		},
	},
};

it('refuses an address of another server, page by page, and one that leaves the Base URL', async () => {
	const elsewhere = [
		await request(`${other().baseUrl}/v1/conversation`, PAGINATION),
		await request(`${world().simulator.baseUrl}/%2e%2e/v1/conversation`),
	];
	expect(elsewhere).toEqual(Array(2).fill({ message: REFUSED, json: [] }));
	expect([...other().requests, ...world().simulator.requests]).toEqual([]);
});

it('does not follow a redirect with the key', async () => {
	world().simulator.addFault({ kind: 'redirect', location: `${other().baseUrl}/v1` });
	const { message } = await request(knowledgeBase(), {
		options: { redirect: { redirect: { followRedirects: true, maxRedirects: 21 } } },
	});
	expect(message).toMatch(/302/);
	expect(other().requests).toEqual([]);
});

it.each<ICredentialDataDecryptedObject>([
	// As a credential is that was saved before there were modes.
	{},
	{ mode: '={{ "check" + "Only" }}' },
	{ mode: '={{ $vars.mode }}' },
])('lets nothing out but a GET in the mode %j', async (mode) => {
	const { baseUrl, apiKey, workspaceId } = world().simulator;
	const data = { baseUrl, apiKey, workspaceId, ...mode };
	// Of another name, so that the one of the other tests stays as it is.
	const type = 'assistantServiceApi';
	const credential = await world().client.saveCredential(type, 'Another mode', data);

	for (const parameters of [{ method: '={{ "post" }}' }, { method: 'POST', ...PAGINATION }]) {
		const refused = { message: REFUSED_METHOD, json: [] };
		expect(await request(`${baseUrl}/v1/call`, parameters, credential)).toEqual(refused);
	}
	expect((await request(knowledgeBase(), {}, credential)).message).toBeUndefined();
	expect(world().simulator.requests.map(({ method }) => method)).toEqual(['GET']);
});
