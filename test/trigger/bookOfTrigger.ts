import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { bookFields } from '../contactBook/bookFields';
import { useBook } from '../contactBook/useBook';
import { useTriggers, type TriggerServer, type TriggerSetup } from '../engine/webhook';
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

/** What the service tells of the end of that contact's call. */
export const CALL = { callId: ROW.contactId, summary: 'All is well', transcript: 'Hello' };

/** What the trigger has put out: one item in each execution. */
export const jsonOf = ({ executions }: TriggerServer) => executions.flat().map(({ json }) => json);

interface SecretSetup extends TriggerSetup {
	readonly credential: ICredentialDataDecryptedObject;
}

/** What starts a trigger with these changes of its credential, and the secret in every delivery. */
export function useSecretTrigger(setup: () => SecretSetup) {
	const start = useTriggers();
	const headers = { [WEBHOOK.webhookHeader]: WEBHOOK.webhookSecret };
	return async (
		parameters: INodeParameters = {},
		changes: ICredentialDataDecryptedObject = {},
		more: Partial<TriggerSetup> = {},
	): Promise<TriggerServer> => {
		const { credential, ...rest } = setup();
		const ofSecret = { ...credential, ...WEBHOOK, ...changes };
		const trigger = await start({ ...rest, parameters, credential: ofSecret, ...more });
		return { ...trigger, post: async (body) => await trigger.post(body, { headers }) };
	};
}

/**
 * To be called once for each file of tests. Each test has Data Tables of its own, with the table of the book.
 *
 * @param options those of the trigger, unless a test starts it with others
 */
export function useBookOfTrigger(options: INodeParameters = {}) {
	const book = useBook();
	const startTrigger = useSecretTrigger(() => ({
		credential: { ...SERVICE, ...bookFields(book.tables()) },
	}));
	const start: typeof startTrigger = async (parameters, ...more) =>
		await startTrigger({ options, ...parameters }, ...more);
	return {
		...book,
		start,
		/** Starts the trigger while the book has these rows, and sends it the end of the call. */
		deliver: async (
			event: object = {},
			rows: object[] = [ROW],
			...of: Parameters<typeof start>
		) => {
			book.add(...rows);
			const trigger = await start(...of);
			expect((await trigger.post({ ...CALL, ...event })).status).toBe(200);
			return trigger;
		},
	};
}
