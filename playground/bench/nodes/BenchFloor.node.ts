import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { benchNode, textField } from './description';

const CREDENTIAL = 'assistantServiceApi';
const IN_FLIGHT = 50;

/**
 * The least that has to be done: each parameter read once per item, the credential once, 50 requests in
 * flight, nothing checked, nothing remembered, nothing tried again.
 */
export class BenchFloor implements INodeType {
	description = benchNode('Floor', 'Places calls in a bare loop', {
		group: ['output'],
		credentials: [{ name: CREDENTIAL, required: true }],
		properties: [
			textField('assistantId', 'Assistant ID'),
			textField('fromNumber', 'From Number'),
			textField('toNumber', 'To Number'),
			textField('priority', 'Priority', { type: 'number', default: 1 }),
		],
	});

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const output: INodeExecutionData[] = [];
		const data = await this.getCredentials(CREDENTIAL);
		const credentialsDecrypted = { id: '', name: CREDENTIAL, type: CREDENTIAL, data };
		const workspaceId = data.workspaceId as string;

		const place = async (item: number): Promise<IDataObject> => {
			const [assistantId, fromNumber, toNumber, priority] = [
				'assistantId',
				'fromNumber',
				'toNumber',
				'priority',
			].map((name) => this.getNodeParameter(name, item) as string);
			const url = `/v1/voice/placeoutboundcall/${workspaceId}/${assistantId}`;
			return (await this.helpers.httpRequestWithAuthentication.call(
				this,
				CREDENTIAL,
				{ method: 'POST', url, body: { fromNumber, toNumber, priority }, json: true },
				{ credentialsDecrypted },
			)) as IDataObject;
		};
		let next = 0;
		const worker = async (): Promise<void> => {
			for (let item = next++; item < items.length; item = next++) {
				const json = await place(item).catch((error: unknown) => ({ error: String(error) }));
				output[item] = { json, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
		return [output];
	}
}
