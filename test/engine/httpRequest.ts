import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { nodeTypeOf } from './testNodes';

const CREDENTIAL = 'assistantServiceApi';

/** Sends its requests with the credential of the service, by both helpers of n8n, as n8n's HTTP Request node does. */
export const httpRequest = nodeTypeOf(
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
