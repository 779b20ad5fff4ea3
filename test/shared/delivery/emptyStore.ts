import type { MarkStore } from '../../../nodes/shared/delivery/ledger/markStore';

/** A store of n8n in which nothing was marked before. */
export const emptyStore: MarkStore = {
	add: async () => await Promise.resolve([]),
	claim: async () => await Promise.resolve([]),
	remove: async () => {
		await Promise.resolve();
	},
	count: async () => await Promise.resolve(0),
};
