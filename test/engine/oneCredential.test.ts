import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { inspect } from 'node:util';

import { OPERATION_ROWS } from '../operations';
import { pathOf } from '../operations/row';
import { answerWith, useOtherServers } from '../otherServer';
import { operationOf } from '../shared/samples';
import { useBookWorld } from './contactBook';
import { ada, bob, CONTINUE, eve } from './contacts';
import { addNodeType, runNode } from './engine';
import { useFastClock } from './fastClock';
import { nodeTypeOf } from './testNodes';

useFastClock();
const startServer = useOtherServers();
const { simulator, tables, calls, outputs } = useBookWorld();

const CREDENTIAL = 'assistantServiceApi';

/** Sends its requests with the credential of the service, by both helpers of n8n, as n8n's HTTP Request node does. */
const httpRequest = nodeTypeOf(
	'HTTP Request',
	async function () {
		const send = async ({ helper = '', ...request }: IDataObject): Promise<IDataObject> => {
			const options = { ...request, json: true } as unknown as IHttpRequestOptions;
			const byStatus = { ...options, ignoreHttpStatusErrors: true };
			const { helpers } = this;
			try {
				// n8n's own node uses the older helper.
				if (helper === 'request')
					// eslint-disable-next-line @typescript-eslint/no-deprecated
					await helpers.requestWithAuthentication.call(this, CREDENTIAL, {
						...options,
						simple: false,
					});
				else await helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, byStatus);
				return {};
			} catch (error) {
				return { error: error instanceof Error ? error.message : 'no error' };
			}
		};
		const sent = [];
		for (const { json } of this.getInputData()) sent.push({ json: await send(json) });
		return [sent];
	},
	{ credentials: [{ name: CREDENTIAL, required: true }] },
);

addNodeType('test.httpRequest', httpRequest);

const ROWS = OPERATION_ROWS.map((row) => [pathOf(row), row] as const);

async function run(
	{ resource, operation, parameters }: (typeof OPERATION_ROWS)[number],
	credential: ICredentialDataDecryptedObject,
) {
	const setup = calls([ada], {}, { ...CONTINUE, credential });
	return await outputs({ ...setup, parameters: { resource, operation, ...parameters } });
}

test.each(ROWS)(
	'with a key of the contact book that was revoked, %s is not sent if it reaches one person',
	async (path, row) => {
		const [json] = await run(row, { n8nApiKey: 'revoked' });

		if (operationOf(path).rules === undefined) expect(json).not.toHaveProperty('error');
		else {
			expect(json).toMatchObject({
				error: expect.stringContaining('n8n does not accept the API key') as string,
				details: { kind: 'stopped', outcome: 'notSent' },
			});
			expect(simulator().requests).toEqual([]);
		}
	},
);

const VIP = '={{ $json.vip ? "live" : "checkOnly" }}';
const DIFFERS = expect.stringContaining('expression that differs between the items') as string;
const OF_SOURCE = "={{ $('Items').item.json.vip ? 'live' : 'checkOnly' }}";
const OF_INPUT = '={{ $input.item.json.vip ? "live" : "checkOnly" }}';

test.each<[mode: string, vips: boolean[], error: string | undefined]>([
	[VIP, [true, false, true], DIFFERS],
	[VIP, [false, true, false], DIFFERS],
	[VIP, [true, true, true], undefined],
	[OF_SOURCE, [true, false, true], DIFFERS],
	[OF_SOURCE, [true, true, true], undefined],
	[OF_INPUT, [true, false, true], DIFFERS],
	[OF_INPUT, [true, true, true], undefined],
	['={{ "live" }}', [true, false, true], undefined],
])('with a mode that is an expression: %s of %j', async (mode, vips, error) => {
	const people = [ada, bob, eve].map((person, index) => ({ ...person, vip: vips[index] }));

	const puts = await outputs(calls(people, {}, { ...CONTINUE, credential: { mode } }));

	expect(puts.map((json) => json.error)).toEqual([error, error, error]);
	expect(simulator().requests).toHaveLength(error === undefined ? 3 : 0);
});

test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
	'no secret is in what n8n saves, also if something echoes them (%s)',
	async (onError) => {
		const secrets = {
			...{ apiKey: 'sk-"quoted"/and+strange=', n8nApiKey: tables().apiKey },
			...{ webhookSecret: 'secret of the webhook', previousWebhookSecret: 'secret of before' },
		};
		const { apiKey } = secrets;
		const moreInfo = `https://x/?k=${encodeURIComponent(apiKey)}`;
		const echo = { message: inspect(secrets), moreInfo, [apiKey]: [apiKey], ...secrets };
		const more = { credential: secrets, settings: { onError } };
		const setup = (to: IDataObject) => calls([to], {}, more, { simplify: false });
		for (const status of [400, 201])
			simulator().addFault({ kind: 'respond', status, body: { ...echo, callId: 'c' }, times: 1 });
		simulator().addFault({ kind: 'resetBefore', times: 1 });
		const ofService = [ada, bob, eve].map(async (to) => await runNode(setup(to)));
		const answered = await Promise.all(ofService);
		tables().fail({ answer: { status: 500, body: echo } });
		const ofBook = await runNode(setup(ada));

		const saved = inspect([answered, ofBook], { depth: 20, showHidden: true });
		expect(saved).not.toContain('quoted');
		for (const secret of Object.values(secrets)) expect(saved).not.toContain(secret);
		expect(saved).toContain('*****');
	},
);

/** Sends by each helper, one item after the other. Gives the errors. */
const send = async (requests: IDataObject[], credential: ICredentialDataDecryptedObject = {}) => {
	const items = requests.flatMap((request) => [request, { ...request, helper: 'request' }]);
	const setup = calls(items, {}, { type: 'test.httpRequest', credential });
	return await outputs({ ...setup, parameters: {} });
};
const OK = [{}, {}];
const keysOf = (headers: IDataObject) => [headers['x-api-key'], headers['x-n8n-api-key']];

test('another node gets each key at its address alone', async () => {
	const elsewhere = await startServer(answerWith(200, '{}'));
	const asked = tables().requests.length;
	simulator().requests.splice(0);
	const list = `${tables().baseUrl}/api/v1/data-tables`;

	expect(await send([{ method: 'GET', url: `${simulator().baseUrl}/v1/x` }])).toEqual(OK);
	expect(await send([{ method: 'GET', url: list }])).toEqual(OK);
	const refused = [
		...[`${elsewhere.baseUrl}/v1`, `${elsewhere.baseUrl}/api/v1/data-tables`],
		...[tables().baseUrl, `${tables().baseUrl}/api/v1/workflows`, `${list}/../workflows`],
		...[`${tables().baseUrl}/webhook/mine`, new URL(simulator().baseUrl).origin],
	].map((url) => ({ method: 'GET', url }));
	for (const { error } of await send(refused))
		expect(error).toContain('is only for addresses under');
	simulator().addFault({ kind: 'redirect', location: `${elsewhere.baseUrl}/v1` });
	await send([{ method: 'GET', url: `${simulator().baseUrl}/v1/x` }]);

	const { apiKey } = simulator();
	expect(simulator().requests.map(({ headers }) => keysOf(headers))).toEqual(
		Array(4).fill([apiKey, undefined]),
	);
	const reads = tables().requests.slice(asked);
	expect(reads.map(({ key }) => key)).toEqual(Array(2).fill(tables().apiKey));
	expect(elsewhere.requests).toEqual([]);
});
