import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { bookFields } from '../contactBook/bookFields';
import { WEBHOOK, withSecret } from '../trigger/bookOfTrigger';
import { TABLE, useBookWorld, type BookWorld } from './contactBook';
import type { NodeSetup } from './engine';
import { useWaiting, type WaitingExecutions } from './waiting';
import { useTriggers, type TriggerServer, type TriggerSetup } from './webhook';
import { credentialFor } from './world';

type Waits = Omit<BookWorld, 'calls'> &
	WaitingExecutions & {
		/** A node that calls these contacts and waits for the ends of their calls. */
		readonly waitFor: (
			items: IDataObject[],
			parameters?: INodeParameters,
			more?: Parameters<BookWorld['calls']>[2],
		) => NodeSetup;
		/** Starts a trigger with the same book. */
		readonly startTrigger: (
			parameters?: INodeParameters,
			changes?: ICredentialDataDecryptedObject,
			more?: Pick<TriggerSetup, 'canStart'>,
		) => Promise<TriggerServer>;
		readonly callId: (row: number) => string;
		/** Changes a row of the book as a person would. */
		readonly edit: (row: number, values: Record<string, string | null>) => void;
		/** Says in a row of the book, as a trigger would, that its call has ended. */
		readonly end: (row: number, summary: string) => void;
	};

/** What the tests of Place and Wait have in common. To be called once for each file. */
export function useWaits(): Waits {
	const { calls, ...world } = useBookWorld();
	const waiting = useWaiting();
	const start = useTriggers();
	const edit: Waits['edit'] = (row, values) => {
		world.tables().table(TABLE).edit(Number(world.rows()[row]?.id), values);
	};
	return {
		...world,
		...waiting,
		waitFor: (items, { contactRules, options, ...parameters } = {}, more = {}) => {
			const rules = contactRules as INodeParameters | undefined;
			const all = { mode: 'trigger', ...more } as const;
			const setup = calls(items, rules, all, options as INodeParameters | undefined);
			const operation = { operation: 'placeAndWait', ...parameters };
			return { ...setup, parameters: { ...setup.parameters, ...operation } };
		},
		startTrigger: async (parameters = {}, changes = {}, more = {}) => {
			const service = credentialFor(world.simulator());
			const book = bookFields(world.tables(), TABLE);
			const credential = { ...service, ...WEBHOOK, ...book, ...changes };
			const { waitingUrl } = waiting;
			const setup = { parameters, credential, waitingUrl: waitingUrl(), ...more };
			return withSecret(await start(setup));
		},
		callId: (row) => world.rows()[row]?.contactId as string,
		edit,
		end: (row, summary) => {
			edit(row, { endedAt: new Date().toISOString(), summary });
		},
	};
}
