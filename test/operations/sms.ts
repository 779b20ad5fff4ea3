import { ASSISTANT_ID, FROM_NUMBER, TO_NUMBER, WORKSPACE_ID } from '../simulator/seed';
import { NEW_ID, type OperationRow } from './row';

const WITHOUT_PLUS = 4915112345678;
const sentTo = (toNumber: string) => `SMS sent to ${toNumber}, message id: ${NEW_ID}`;

export const sms: OperationRow[] = [
	{
		resource: 'sms',
		operation: 'start',
		section: '4.5',
		isSentOnce: true,
		parameters: {
			assistantId: ASSISTANT_ID,
			fromNumber: FROM_NUMBER,
			toNumber: TO_NUMBER,
			message: 'Hello',
			customFields: { customField1: 'Ada' },
		},
		method: 'POST',
		path: `/v1/sms/startSMSThread/${ASSISTANT_ID}`,
		body: {
			workspaceId: WORKSPACE_ID,
			fromNumber: FROM_NUMBER,
			toNumber: TO_NUMBER,
			message: 'Hello',
			attributes: { customField1: 'Ada' },
		},
		answer: { msg: sentTo(TO_NUMBER) },
		output: [
			{
				toNumber: TO_NUMBER,
				result: 'sent',
				reason: null,
				msg: sentTo(TO_NUMBER),
				messageId: NEW_ID,
			},
		],
		variants: {
			'a phone number that came as a number': {
				parameters: { toNumber: WITHOUT_PLUS },
				body: { toNumber: String(WITHOUT_PLUS) },
				answer: { msg: sentTo(String(WITHOUT_PLUS)) },
				output: [
					{
						toNumber: String(WITHOUT_PLUS),
						result: 'sent',
						reason: null,
						msg: sentTo(String(WITHOUT_PLUS)),
						messageId: NEW_ID,
					},
				],
			},
		},
	},
];
