import { DataDeduplicationService } from 'n8n-core/dist/data-deduplication-service';
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { MemoryDeduplicator } from './deduplicator';
import { runNode, type NodeSetup } from './engine';
import { callsByRecipient, credentialFor, numbers, placeCall, useSimulator } from './world';

interface ContactsOptions {
	/** False if n8n's database is away, so that only what the execution saves can tell what was sent. */
	readonly hasStore?: boolean;
	/** What the credential has beside what is of the service. */
	readonly fields?: () => ICredentialDataDecryptedObject;
}

/**
 * What the tests of the rules of contact have in common. To be called once for each file of tests. Each test has a node of
 * its own: n8n and the process remember by the node.
 */
export function useContacts({ hasStore = true, fields = () => ({}) }: ContactsOptions = {}) {
	const simulator = useSimulator();
	const store = new MemoryDeduplicator();
	let tests = 0;
	const nodeId = (): string => `node of test ${tests}`;
	beforeAll(async () => {
		await DataDeduplicationService.init(store);
	});
	beforeEach(() => {
		tests++;
		store.isBroken = !hasStore;
	});
	return {
		simulator,
		/** What n8n keeps of the nodes. */
		store,
		nodeId,
		/** A node that calls these contacts. */
		calls: (
			items: IDataObject[],
			contactRules: INodeParameters = {},
			{ credential, ...more }: Partial<NodeSetup> = {},
			options: INodeParameters = {},
		): NodeSetup => ({
			credential: { ...credentialFor(simulator()), ...fields(), ...credential },
			parameters: { ...placeCall, contactRules, options },
			items,
			nodeId: nodeId(),
			...more,
		}),
		/** How often the service acted on a call for each recipient. */
		reached: () => callsByRecipient(simulator()),
		outputs: async (setup: NodeSetup): Promise<IDataObject[]> =>
			(await runNode(setup)).items.map(({ json }) => json),
	};
}

export const CONTINUE = { settings: { onError: 'continueRegularOutput' as const } };

export const [ada = { to: '' }, bob = { to: '' }, eve = { to: '' }] = numbers(3);

export const LIST = { list: 'Spring' };
export const TRIES = { ...LIST, attempts: 2, notAgainWithin: 24 };

/** Says of each item why it is held back, or else its result. */
export const reasons = (output: readonly IDataObject[]) =>
	output.map(({ result, reason }) => reason ?? result);

/** Hours that are over, or have not begun, at this moment. */
export function closedHours() {
	const at = (offset: number): string =>
		new Date(Date.now() + offset * 3_600_000).toISOString().slice(11, 16);
	return { allowedHours: `${at(2)}-${at(3)}`, timezone: 'UTC' };
}
