import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { begin, end } from './probe';

/** How often each event was executed, by the ID of its call. */
const counts = new Map<unknown, number>();

/** A contact for each of these people; one item if there are none. */
const contactsOf = ({ people = [''], assistantId, fromNumber }: IDataObject): IDataObject[] =>
	(people as string[]).map((to) => ({ assistantId, from: fromNumber, to }));

const description: INodeTypeDescription = {
	displayName: 'Bench Clock',
	name: 'benchClock',
	group: ['transform'],
	version: 1,
	description: 'Measures a run',
	defaults: { name: 'Bench Clock' },
	inputs: ['main'],
	outputs: ['main'],
	properties: [{ displayName: 'Step', name: 'step', type: 'string', default: '' }],
};

/**
 * Measures: "begin" makes contacts and starts the clock, "seen" counts the execution of an event, "count" says how many
 * there were, "end" stops the clock and says what the run cost. The step stands in the node or in what the webhook got.
 */
export class BenchClock implements INodeType {
	description = description;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const input = this.getInputData().map(({ json }) => json);
		const body = (input[0]?.body ?? {}) as IDataObject;
		// Not by getNodeParameter, which costs time that is n8n's.
		const { step: own } = this.getNode().parameters;
		const step = own === '' ? body.step : own;
		const put = (...json: IDataObject[]) => [
			json.map((one) => ({ json: one, pairedItem: { item: 0 } })),
		];
		if (step === 'begin') {
			const contacts = contactsOf(body);
			counts.clear();
			await begin();
			return put(...contacts);
		}
		if (step === 'end') return put({ cost: { ...(await end()) }, counts: [...counts] });
		if (step === 'count') return put({ executed: [...counts.values()].reduce((a, b) => a + b, 0) });
		for (const { callId = body.callId } of input) counts.set(callId, (counts.get(callId) ?? 0) + 1);
		return put({});
	}
}
