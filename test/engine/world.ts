import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import type { Simulator, SimulatorOptions } from '../simulator/contract';
import { recipientOf } from '../simulator/recipient';
import { startSimulator } from '../simulator/simulator';
import { ASSISTANT_ID } from '../simulator/seed';
import { useEach } from '../useEach';

export { placeCall } from '../shared/samples';

/**
 * Starts a service for each test of a file, and stops it at its end. Each has an address of its own, so that what
 * the node has learned of one does not count for another.
 */
export const useSimulator = (options?: SimulatorOptions): (() => Simulator) =>
	useEach(async () => await startSimulator(options));

export const credentialFor = ({
	baseUrl,
	apiKey,
	workspaceId,
}: Simulator): ICredentialDataDecryptedObject => ({
	baseUrl,
	apiKey,
	workspaceId,
	mode: 'live',
});

/** The prompt of the assistant: a read. */
export const getPrompt: INodeParameters = {
	resource: 'assistant',
	operation: 'getPrompt',
	assistantId: ASSISTANT_ID,
	options: {},
};

/** Phone numbers +15550001000, +15550001001, ... */
export const numbers = (count: number): { to: string }[] =>
	Array.from({ length: count }, (_, index) => ({
		to: `+1555${String(1000 + index).padStart(7, '0')}`,
	}));

/** The nth of {@link numbers}. */
export const recipient = (index: number): string => numbers(index + 1)[index]?.to ?? '';

/** Tells the requests for the nth of {@link numbers}. */
export const isFor = (index: number) => (request: { body: unknown }) =>
	recipientOf(request) === recipient(index);

/** How often the service acted on a call for each recipient. */
export function callsByRecipient(simulator: Simulator): Record<string, number> {
	const calls: Record<string, number> = {};
	for (const request of simulator.processed('placeCall')) {
		const toNumber = recipientOf(request) ?? '';
		calls[toNumber] = (calls[toNumber] ?? 0) + 1;
	}
	return calls;
}

/** What {@link callsByRecipient} gives if each of these people was called once. */
export const calledOnce = (people: readonly { readonly to: string }[]): Record<string, number> =>
	Object.fromEntries(people.map(({ to }) => [to, 1]));
