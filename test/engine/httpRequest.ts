import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

/** A node that sends its requests with the credential of the service, by both helpers of n8n, as n8n's HTTP Request node does. */
export class HttpRequest implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'HTTP Request',
		name: 'httpRequest',
		group: ['output'],
		version: 1,
		description: 'Sends the request of each item, whatever is answered',
		defaults: { name: 'HTTP Request' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'assistantServiceApi', required: true }],
		properties: [],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const send = async ({ helper = '', ...request }: IDataObject): Promise<IDataObject> => {
			const options = { ...request, json: true } as unknown as IHttpRequestOptions;
			const { helpers } = this;
			try {
				// n8n's own node uses the older helper.
				if (helper === 'request')
					// eslint-disable-next-line @typescript-eslint/no-deprecated
					await helpers.requestWithAuthentication.call(this, 'assistantServiceApi', {
						...options,
						simple: false,
					});
				else
					await helpers.httpRequestWithAuthentication.call(this, 'assistantServiceApi', {
						...options,
						ignoreHttpStatusErrors: true,
					});
				return {};
			} catch (error) {
				return { error: error instanceof Error ? error.message : 'no error' };
			}
		};
		const sent = [];
		for (const { json } of this.getInputData()) sent.push({ json: await send(json) });
		return [sent];
	}
}
