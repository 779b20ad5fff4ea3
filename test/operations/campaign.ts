import { ASSISTANT_ID, FROM_NUMBER, TO_NUMBER, WORKSPACE_ID } from '../simulator/seed';
import { NEW_ID, type OperationRow } from './row';

const from = { assistantId: ASSISTANT_ID, fromNumber: FROM_NUMBER };
const template = { templateName: 'appointment_reminder', templateLanguage: 'en' };
const byTemplate = {
	campaignType: 'msgapp',
	...template,
	triggerType: 'triggerBasedOnCampaign',
	ignorePreviousCampaigns: true,
};
const created = `Campaign created. Campaign id: ${NEW_ID}`;
const triggered = 'The bulk campaign is triggered';

export const campaign: OperationRow[] = [
	{
		resource: 'campaign',
		operation: 'createSingle',
		section: '4.6',
		isSentOnce: true,
		parameters: {
			campaignType: 'sms',
			...from,
			toNumber: TO_NUMBER,
			message: 'Hello',
			ignorePreviousCampaigns: true,
			customFields: { customField1: 'Ada' },
		},
		method: 'POST',
		path: `/v1/campaigns/createCampaign/${WORKSPACE_ID}`,
		body: {
			campaignType: 'sms',
			...from,
			toNumber: TO_NUMBER,
			triggerType: 'triggerImmediately',
			message: 'Hello',
			ignorePreviousCampaigns: true,
			attributes: { customField1: 'Ada' },
		},
		answer: { message: created },
		output: [
			{
				toNumber: TO_NUMBER,
				result: 'created',
				reason: null,
				message: created,
				campaignId: NEW_ID,
			},
		],
		variants: {
			'by call, with a message that is hidden': {
				parameters: { campaignType: 'call' },
				body: { campaignType: 'call', message: undefined },
			},
			'by msgapp, when the campaign says': {
				parameters: byTemplate,
				body: { ...byTemplate, message: undefined },
			},
		},
	},
	{
		resource: 'campaign',
		operation: 'createBulk',
		section: '4.7',
		isSentOnce: true,
		parameters: {
			campaignName: 'Spring',
			campaignType: 'sms',
			...from,
			sheetUrl: 'https://example.com/contacts.xlsx',
			description: 'Reminders',
			message: 'Hello',
		},
		method: 'POST',
		path: `/v1/bulkCampaigns/createBulkCampaign/${WORKSPACE_ID}`,
		body: {
			name: 'Spring',
			campaignType: 'sms',
			...from,
			sheetURL: 'https://example.com/contacts.xlsx',
			description: 'Reminders',
			triggerType: 'triggerImmediately',
			message: 'Hello',
		},
		answer: { message: triggered },
		output: [{ message: triggered, campaignId: null }],
		variants: {
			'by msgapp, with a blank description': {
				parameters: { ...byTemplate, description: ' ' },
				body: { ...byTemplate, description: undefined, message: undefined },
			},
		},
	},
];
