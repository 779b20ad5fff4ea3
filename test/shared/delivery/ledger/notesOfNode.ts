import type { IDataObject } from 'n8n-workflow';

import type { OpenLedger } from '../../../../nodes/shared/delivery/ledger/open';
import type { ItemResult } from '../../../../nodes/shared/delivery/result';
import type { ItemPlan } from '../../../../nodes/shared/request/request';
import { emptyStore } from '../emptyStore';
import { plan } from '../results';
import { openOver } from './openOver';

/** The node whose ledger is opened; each test has one of its own. */
export const node = { id: '' };
let tests = 0;
beforeEach(() => {
	node.id = `node ${++tests}`;
});

/** The ledger of a node in an execution, which knows nothing but its notes. */
export const open = (
	store: IDataObject,
	plans: readonly ItemPlan[] = [plan],
	executionId = 'first',
	runIndex = '0',
): OpenLedger =>
	openOver(emptyStore, plans, {
		saved: store,
		executionId,
		isRetry: executionId !== 'first',
		nodeId: node.id,
		runIndex,
		origin: `token of ${node.id}`,
	});

/** What n8n saves with a failed execution and hands to its retry. */
export const saved = (store: IDataObject): IDataObject =>
	JSON.parse(JSON.stringify(store)) as IDataObject;

/** A store in which an earlier try has left what became of item 0. */
export function storeWith(result: ItemResult | undefined, of = plan): IDataObject {
	const store: IDataObject = {};
	const { ledger } = open(store, [of]);
	ledger.aboutToSend(0);
	if (result !== undefined) ledger.end(0, result);
	return store;
}
