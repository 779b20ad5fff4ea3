import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { bookFields } from '../contactBook/bookFields';
import { WEBHOOK, withSecret } from '../trigger/bookOfTrigger';
import { useBookWorld } from './contactBook';
import type { NodeSetup } from './engine';
import { useWaiting } from './waiting';
import { useTriggers, type TriggerServer, type TriggerSetup } from './webhook';
import { credentialFor } from './world';

/** What the tests of Place and Wait have in common. To be called once for each file. */
export function useWaits() {
	const { calls, ...world } = useBookWorld();
	const waiting = useWaiting();
	const start = useTriggers();
	return {
		...world,
		...waiting,
		/** A node that calls these contacts and waits for the ends of their calls. */
		waitFor: (
			items: IDataObject[],
			{ contactRules, options, ...parameters }: INodeParameters = {},
			more: Partial<NodeSetup> = {},
		): NodeSetup => {
			const rules = contactRules as INodeParameters | undefined;
			const all = { mode: 'trigger', ...more } as const;
			const setup = calls(items, rules, all, options as INodeParameters | undefined);
			const operation = { operation: 'placeAndWait', ...parameters };
			return { ...setup, parameters: { ...setup.parameters, ...operation } };
		},
		/** Starts a trigger with the same book. */
		startTrigger: async (
			parameters: INodeParameters = {},
			changes: ICredentialDataDecryptedObject = {},
			more: Pick<TriggerSetup, 'canStart'> = {},
		): Promise<TriggerServer> => {
			const service = credentialFor(world.simulator());
			const book = bookFields(world.tables());
			const credential = { ...service, ...WEBHOOK, ...book, ...changes };
			const waitingUrl = waiting.waitingUrl();
			return withSecret(await start({ parameters, credential, waitingUrl, ...more }));
		},
		callId: (row: number): string => world.rows()[row]?.contactId as string,
		/** Says in a row of the book, as a trigger would, that its call has ended. */
		end: (row: number, summary: string): void => {
			world.edit(row, { endedAt: new Date().toISOString(), summary });
		},
	};
}
