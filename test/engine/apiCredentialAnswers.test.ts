import { FAILURE_TEXTS } from '../../nodes/shared/answer/failure';
import { answerWith, type Answerer } from '../otherServer';
import { answerJson, CONNECTED, useTestAt } from './apiCredential';

const NOT_THE_SERVICE = 'This address does not answer like the service (HTTP 404).';
const CHECK_ADDRESS = 'Check "Base URL": it is the address that comes before /v1.';
const BAD_RESPONSE = 'The service gave no clear answer (HTTP 200).';
const CHECK_BAD_RESPONSE = FAILURE_TEXTS.badResponse.hint;

const testAt = useTestAt();

test.each<[number, unknown]>([
	[200, { _id: '1', workspace: 'w', messages: [], attributes: {} }],
	[404, { msg: 'Conversation not found' }],
	[404, { error: 'Error: Conversation not found!' }],
	[404, { statusCode: 404, error: 'Not Found', message: 'Conversation not found' }],
	[404, { msg: 'The conversation does not exist' }],
])('%i %j says that the credential is good', async (status, body) => {
	expect(await testAt(answerJson(status, body))).toEqual(CONNECTED);
});

test.each<[string, Answerer, string]>([
	[
		"another server's message",
		answerJson(404, { message: 'Not Found' }),
		`${NOT_THE_SERVICE} The answer says: "Not Found". ${CHECK_ADDRESS}`,
	],
	[
		'a framework',
		answerJson(404, {
			message:
				'Route GET:/v1/conversation/workspace/9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d/n8n-credential-test not found',
			error: 'Not Found',
			statusCode: 404,
		}),
		`${NOT_THE_SERVICE} The answer says: "Not Found". ${CHECK_ADDRESS}`,
	],
	[
		'a path that ends in the word',
		answerJson(404, { message: '/v1/conversation not found' }),
		`${NOT_THE_SERVICE} The answer says: "/v1/conversation not found". ${CHECK_ADDRESS}`,
	],
	['nothing', answerWith(404), `${NOT_THE_SERVICE} ${CHECK_ADDRESS}`],
	[
		'a page',
		answerWith(404, '<html><body>Conversation not found</body></html>', 'text/html'),
		`${NOT_THE_SERVICE} ${CHECK_ADDRESS}`,
	],
	[
		'a workspace that the service does not know',
		answerJson(404, { msg: 'Workspace not found' }),
		`${NOT_THE_SERVICE} The answer says: "Workspace not found". ${CHECK_ADDRESS}`,
	],
	['an empty answer with a good status', answerWith(200), `${BAD_RESPONSE} ${CHECK_BAD_RESPONSE}`],
	[
		'a bad request',
		answerJson(400, { code: 40000, moreInfo: 'https://service.example/errors/40000' }),
		'The service rejected the request (HTTP 400). The answer says: "40000, https://service.example/errors/40000". Check the "Workspace ID": it stands beside the API key in the dashboard of the service.',
	],
	[
		'an account without a plan',
		answerJson(402, { msg: 'Account upgrade is needed to continue' }),
		'Your plan at the service does not allow this (HTTP 402). The answer says: "Account upgrade is needed to continue". Upgrade your plan, or wait until it has room again.',
	],
	[
		'a broken connection',
		(response) => response.destroy(),
		'The connection to the service broke before its answer came (ECONNRESET). Check "Base URL" in the credential, and the network between n8n and the service.',
	],
])('%s is told in sentences', async (_, answer, message) => {
	expect(await testAt(answer)).toEqual({ status: 'Error', message });
});
