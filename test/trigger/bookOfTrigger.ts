import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { COLUMNS } from '../../nodes/shared/book/columns';
import { bookFields } from '../contactBook/bookFields';
import { useDataTables } from '../contactBook/useDataTables';
import { TABLE } from '../engine/contactBook';
import { useTriggers, type TriggerServer } from '../engine/webhook';
import { WORKSPACE_ID } from '../simulator/seed';

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

/** What the service tells of the end of that contact's call. */
export const CALL = { callId: ROW.contactId, summary: 'All is well', transcript: 'Hello' };

/** What the trigger has put out: one item in each execution. */
export const jsonOf = ({ executions }: TriggerServer) => executions.flat().map(({ json }) => json);

/**
 * To be called once for each file of tests. Each test has Data Tables of its own, with the table of the book.
 *
 * @param options those of the trigger, unless a test starts it with others
 */
export function useBookOfTrigger(options: INodeParameters = {}) {
	const startTrigger = useTriggers();
	const tables = useDataTables(({ createTable }) => {
		createTable(TABLE, COLUMNS);
	});
	const table = () => tables().table(TABLE);
	const add = (...rows: object[]): void => {
		for (const row of rows) table().insert({ ...row });
	};
	/** Starts the trigger with these changes of its credential. */
	const start = async (
		parameters: INodeParameters = {},
		changes: ICredentialDataDecryptedObject = {},
	): Promise<TriggerServer> => {
		const credential = { ...SERVICE, ...WEBHOOK, ...bookFields(tables()), ...changes };
		return withSecret(await startTrigger({ parameters: { options, ...parameters }, credential }));
	};
	return {
		tables,
		table,
		rows: () => table().rows,
		add,
		start,
		/** Starts the trigger while the book has these rows, and sends it the end of the call. */
		deliver: async (
			event: object = {},
			rows: object[] = [ROW],
			...of: Parameters<typeof start>
		) => {
			add(...rows);
			const trigger = await start(...of);
			expect((await trigger.post({ ...CALL, ...event })).status).toBe(200);
			return trigger;
		},
	};
}
