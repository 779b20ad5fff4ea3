import type * as markStore from '../../../../nodes/shared/delivery/ledger/markStore';
import type { OpenLedger } from '../../../../nodes/shared/delivery/ledger/open';
import type { RunResult } from '../../../../nodes/shared/delivery/result';
import { planOf, type Values } from '../../samples';
import { accepted, failed } from '../results';
import type * as openOver from './openOver';
import { resultOf, type RunOptions } from './openOver';
import { SeenByNode } from './seenByNode';

export const HOUR = 3_600_000;
export const START = Date.parse('2026-03-02T10:00:00Z');

export const ADA = '+4915112345678';
export const BOB = '+4915199999999';

/** What n8n keeps for contacts: more than the tests make. */
const KEPT = { marks: 1_000_000, perContact: 9, days: Infinity };

/** The node of a test, what n8n keeps of it, and the time in milliseconds since the epoch. */
export const world = { node: '', seen: new SeenByNode(''), now: START };

let nodes = 0;

/** Begins with a new node. */
export function begin(): void {
	world.node = `node ${++nodes}`;
	world.seen = new SeenByNode(world.node);
	world.now = START;
}

/** Each test of the file has a node and a clock of its own. */
export function useWorld(): void {
	beforeEach(() => {
		begin();
		jest.spyOn(Date, 'now').mockImplementation(() => world.now);
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});
}

/** Opens a run of the node that calls these numbers, and nobody again within so many hours. It makes no other marks. */
export type Open = (hours: number, ...numbers: string[]) => OpenLedger;

/**
 * The modules as a process of n8n has them. Loading them takes a second.
 *
 * @param values what else is entered for the calls
 */
export function startProcess(options: RunOptions = { hasMarks: false }, values: Values = {}): Open {
	type Modules = typeof openOver & typeof markStore;
	let modules: Modules | undefined;
	jest.isolateModules(() => {
		modules = {
			...jest.requireActual<Modules>('./openOver'),
			...jest.requireActual<Modules>('../../../../nodes/shared/delivery/ledger/markStore'),
		};
	});
	if (modules === undefined) throw new Error('The modules cannot be loaded');
	const { createMarkStore, openOver: openRun } = modules;
	return (hours, ...numbers) =>
		openRun(
			createMarkStore(world.seen.context, numbers.length, KEPT),
			numbers.map((toNumber) =>
				planOf('call.place', { ...values, toNumber, contactRules: { notAgainWithin: hours } }),
			),
			{ nodeId: world.node, ...options },
		);
}

/**
 * Contacts the first recipient, unless that was done; true if it was contacted now.
 *
 * @param after how long it takes from the claim to the request, in milliseconds
 */
export async function contact(
	{ ledger }: OpenLedger,
	isContact = true,
	after = 0,
): Promise<boolean> {
	const known = await resultOf(ledger);
	world.now += after;
	const result: RunResult = isContact ? accepted : failed('refused');
	ledger.end(0, known ?? ledger.aboutToSend(0) ?? result);
	await ledger.close();
	return known === undefined;
}
