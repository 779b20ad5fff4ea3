import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { bookFields } from '../contactBook/bookFields';
import { useSecretTrigger } from '../trigger/bookOfTrigger';
import { useBookWorld } from './contactBook';
import type { NodeSetup } from './engine';
import { useWaiting } from './waiting';
import { credentialFor } from './world';

/** What the tests of Place and Wait have in common. To be called once for each file. */
export function useWaits() {
	const { calls, ...world } = useBookWorld();
	const waiting = useWaiting();
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
		startTrigger: useSecretTrigger(() => ({
			credential: { ...credentialFor(world.simulator()), ...bookFields(world.tables()) },
			waitingUrl: waiting.waitingUrl(),
		})),
		callId: (row: number): string => String(world.rows()[row]?.contactId),
		/** Says in a row of the book, as a trigger would, that its call has ended. */
		end: (row: number, summary: string): void => {
			world.edit(row, { endedAt: new Date().toISOString(), summary });
		},
	};
}
