import { ASSISTANT_ID, FROM_NUMBER, TO_NUMBER, WORKSPACE_ID } from '../simulator/seed';
import { columnsOf, NEW_ID, type OperationEntries } from './row';

const bySms = {
	campaignType: 'sms',
	assistantId: ASSISTANT_ID,
	fromNumber: FROM_NUMBER,
	message: 'Hello',
};
const single = { ...bySms, toNumber: TO_NUMBER, ignorePreviousCampaigns: true };
const bulk = { ...bySms, description: 'Reminders' };
const template = { templateName: 'appointment_reminder', templateLanguage: 'en' };
const byTemplate = {
	campaignType: 'msgapp',
	...template,
	triggerType: 'triggerBasedOnCampaign',
	ignorePreviousCampaigns: true,
};
const created = `Campaign created. Campaign id: ${NEW_ID}`;
const triggered = 'The bulk campaign is triggered';

export const campaign: OperationEntries = {
	createSingle: {
		section: '4.6',
		isSentOnce: true,
		parameters: { ...single, customFields: { customField1: 'Ada' } },
		method: 'POST',
		path: `/v1/campaigns/createCampaign/${WORKSPACE_ID}`,
		body: {
			...single,
			triggerType: 'triggerImmediately',
			attributes: { customField1: 'Ada' },
		},
		answer: { message: created },
		output: [{ ...columnsOf('created'), message: created, campaignId: NEW_ID }],
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
	createBulk: {
		section: '4.7',
		isSentOnce: true,
		parameters: {
			...bulk,
			campaignName: 'Spring',
			sheetUrl: 'https://example.com/contacts.xlsx',
		},
		method: 'POST',
		path: `/v1/bulkCampaigns/createBulkCampaign/${WORKSPACE_ID}`,
		body: {
			...bulk,
			name: 'Spring',
			sheetURL: 'https://example.com/contacts.xlsx',
			triggerType: 'triggerImmediately',
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
};
