import { ASSISTANT_ID, FROM_NUMBER, TO_NUMBER, WORKSPACE_ID } from '../simulator/seed';
import { columnsOf, NEW_ID, type OperationEntries } from './row';

const message = { fromNumber: FROM_NUMBER, toNumber: TO_NUMBER, message: 'Hello' };
const SENT = `SMS sent to ${TO_NUMBER}, message id: ${NEW_ID}`;

export const sms: OperationEntries = {
	start: {
		section: '4.5',
		isSentOnce: true,
		parameters: {
			assistantId: ASSISTANT_ID,
			...message,
			customFields: { customField1: 'Ada' },
		},
		method: 'POST',
		path: `/v1/sms/startSMSThread/${ASSISTANT_ID}`,
		body: {
			workspaceId: WORKSPACE_ID,
			...message,
			attributes: { customField1: 'Ada' },
		},
		answer: { msg: SENT },
		output: [{ ...columnsOf('sent'), msg: SENT, messageId: NEW_ID }],
	},
};
