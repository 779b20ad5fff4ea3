import { ASSISTANT_ID, FROM_NUMBER, TO_NUMBER, WORKSPACE_ID } from '../simulator/seed';
import { NEW_ID, type OperationRow } from './row';

const SENT = `SMS sent to ${TO_NUMBER}, message id: ${NEW_ID}`;

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
		answer: { msg: SENT },
		output: [
			{
				toNumber: TO_NUMBER,
				result: 'sent',
				reason: null,
				msg: SENT,
				messageId: NEW_ID,
			},
		],
	},
];
