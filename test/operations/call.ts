import { ASSISTANT_ID, FROM_NUMBER, TO_NUMBER, WORKSPACE_ID } from '../simulator/seed';
import { columnsOf, NEW_ID, type OperationEntries } from './row';

const numbers = { fromNumber: FROM_NUMBER, toNumber: TO_NUMBER };
const msg = `The call is placed to ${TO_NUMBER}`;

const placed = { ...columnsOf('placed'), callId: NEW_ID, msg };

/** What both operations send. */
const request = {
	section: '4.4',
	isSentOnce: true,
	parameters: {
		assistantId: ASSISTANT_ID,
		...numbers,
		priority: 2,
		customFields: { customField8: 'Monday' },
	},
	method: 'POST',
	path: `/v1/voice/placeoutboundcall/${WORKSPACE_ID}/${ASSISTANT_ID}`,
	body: { ...numbers, priority: 2, attributes: { customField8: 'Monday' } },
	answer: { msg, status: 'placed', callId: NEW_ID },
};

export const call: OperationEntries = {
	place: {
		...request,
		output: [placed],
		variants: {
			'a formatted number and attributes as JSON': {
				parameters: {
					toNumber: '0049 (151) 1234-56.78',
					specifyAttributes: 'json',
					attributesJson: '{ "customField3": "x" }',
				},
				body: { attributes: { customField3: 'x' } },
			},
			'low priority, no attributes': {
				parameters: { priority: 0, customFields: {} },
				body: { priority: 0, attributes: undefined },
			},
		},
	},
	placeAndWait: {
		...request,
		waits: true,
		output: [
			{
				...placed,
				ended: null,
				reached: null,
				endedAt: null,
				callStartTime: null,
				summary: null,
				variables: null,
			},
		],
	},
};
