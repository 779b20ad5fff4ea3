import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { COLUMNS } from '../../nodes/shared/book/columns';
import { bookFields } from '../contactBook/bookFields';
import { useDataTables } from '../contactBook/useDataTables';
import { useTriggers, type TriggerServer } from '../engine/webhook';
import { WORKSPACE_ID } from '../simulator/seed';

export const BOOK = 'Contact book';

/** Nobody is there: the trigger does not ask the service. In this mode the node would write nothing into the book. */
export const SERVICE = {
	...{ baseUrl: 'http://127.0.0.1:1/api', apiKey: 'service key', workspaceId: WORKSPACE_ID },
	mode: 'checkOnly',
};

export const WEBHOOK = {
	webhookSecret: 'correct horse battery staple',
	webhookHeader: 'x-webhook-secret',
};

/** The contact that the events of these tests are about. */
export const ROW = {
	...{ phone: '+15550001000', contactedAt: '2026-03-02T10:00:00.000Z', operation: 'call.place' },
	...{ outcome: 'accepted', contactId: 'call-1', reference: 'crm-1', mode: 'live' },
	...{ workflow: 'w1', execution: '17' },
};

/** The trigger, with the secret in every delivery. */
export function withSecret(trigger: TriggerServer): TriggerServer {
	const headers = { [WEBHOOK.webhookHeader]: WEBHOOK.webhookSecret };
	return { ...trigger, post: async (body) => await trigger.post(body, { headers }) };
}

/** To be called once for each file of tests. Each test has Data Tables of its own. */
export function useBookOfTrigger() {
	const startTrigger = useTriggers();
	const tables = useDataTables();
	return {
		tables,
		/** Makes the table with these rows. */
		prepare: async (...rows: Readonly<Record<string, string | boolean | null>>[]) => {
			const table = tables().createTable(BOOK, COLUMNS);
			for (const row of rows) table.insert(row);
			await Promise.resolve();
		},
		/** Starts the trigger with these changes of its credential. */
		start: async (
			parameters: INodeParameters = {},
			changes: ICredentialDataDecryptedObject = {},
		): Promise<TriggerServer> => {
			const credential = { ...SERVICE, ...WEBHOOK, ...bookFields(tables()), ...changes };
			return withSecret(await startTrigger({ parameters, credential }));
		},
	};
}
