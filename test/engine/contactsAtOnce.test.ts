import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { WORKSPACE_ID } from '../simulator/seed';
import { CONTINUE } from './contacts';
import { useDeduplicator, type MemoryDeduplicator } from './deduplicator';
import { runNode, startNode, type NodeSetup } from './engine';
import { passing, startProcess, useVirtualService, type Fate } from './virtualWorld';
import { numbers, placeCall } from './world';

const PEOPLE = numbers(10);

const HOUR = 3_600_000;

/** A process writes nothing more for a run so long after its end, in milliseconds. */
const MARKED_AFTER = 60_000;

/** A later process finds a contact by the hours that were set when it was made. */
const HOURS = [24, 48];

const service = useVirtualService();

/** n8n before it was started, as it runs, after it was started again, and after it died. */
const [earlier, running] = [startProcess(), startProcess()];
const [later, recovered] = [startProcess(), startProcess()];

let store: MemoryDeduplicator;
beforeAll(async () => {
	store = await useDeduplicator();
});

const aRun = fc.record({
	begin: fc.nat(400),
	people: fc.array(fc.nat(PEOPLE.length - 1), { minLength: 1, maxLength: 25 }),
	hours: fc.constantFrom(...HOURS),
	maxConcurrentRequests: fc.integer({ min: 1, max: 4 }),
	onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const),
	/** After how many milliseconds the run is cancelled. */
	cancelAfter: fc.option(fc.nat(800), { freq: 3, nil: Infinity }),
});

const scenario = fc.record({
	/** Who was contacted before n8n was started; then all runs have the same hours. */
	before: fc.subarray(PEOPLE.slice(0, 5)),
	runs: fc.array(aRun, { minLength: 3, maxLength: 6 }),
	/** What becomes of the requests, over and over again. */
	fates: fc.array(
		fc.record({
			fate: fc.constantFrom<Fate>('accepted', 'refused', 'refused', 'refused', 'lost'),
			after: fc.integer({ min: 1, max: 80 }),
		}),
		{ minLength: 1, maxLength: 12 },
	),
	/** How long n8n's store takes, in milliseconds, over and over again. */
	latencies: fc.array(fc.constantFrom(0, 1, 10, 60), { minLength: 1, maxLength: 7 }),
	/** n8n dies at this contact. */
	dies: fc.nat(10),
	/** After so many hours the later processes are asked. */
	asked: fc.nat(23),
});

/** Gives these values over and over again. */
function cycle<T>(values: readonly T[]): () => T {
	let place = 0;
	return () => values[place++ % values.length] as T;
}

const isHeldBack = ({ reason }: IDataObject): boolean => reason === 'contactedRecently';

const kindOf = ({ details }: IDataObject): unknown => (details as IDataObject | undefined)?.kind;

const sorted = (all: Iterable<string>): string[] => [...new Set(all)].sort();

let nodes = 0;

/** A node of its own, which has contacted nobody. */
function newNode() {
	const nodeId = `virtual node ${++nodes}`;
	const baseUrl = `https://service-${nodes}.example.com/api`;
	const setup = (
		type: string,
		items: NodeSetup['items'],
		{ notAgainWithin = 24, ...options }: INodeParameters,
	): NodeSetup => ({
		credential: { baseUrl, apiKey: 'a good key', workspaceId: WORKSPACE_ID, mode: 'live' },
		parameters: { ...placeCall, contactRules: { notAgainWithin }, options },
		items,
		nodeId,
		type,
		...CONTINUE,
	});
	/** Whom the node would not contact now. */
	const heldBackIn = async (type: string): Promise<string[]> => {
		service().next = () => ({ fate: 'refused', after: 1 });
		const all: string[] = [];
		for (const notAgainWithin of HOURS) {
			const { items } = await passing(runNode(setup(type, PEOPLE, { notAgainWithin })));
			all.push(
				...PEOPLE.filter((_, place) => isHeldBack(items[place]?.json ?? {})).map(({ to }) => to),
			);
		}
		return sorted(all);
	};
	return { nodeId, setup, heldBackIn };
}

test('runs at once hold back whoever was contacted, and nobody else; a later process knows them', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async ({ before, runs, fates, latencies, dies, asked }) => {
			const { nodeId, setup, heldBackIn } = newNode();
			const { requests } = service();
			requests.splice(0);
			const latency = cycle(latencies);
			store.answer = async () => {
				await new Promise((resolve) => setTimeout(resolve, latency()));
			};
			const contacts = () => requests.filter(({ fate }) => fate !== 'refused');
			let atDeath = { row: [] as string[], contacted: [] as string[] };
			service().next = () => ({ fate: 'accepted', after: 1 });
			await passing(runNode(setup(earlier, before, {})));
			await jest.advanceTimersByTimeAsync(MARKED_AFTER);
			service().next = cycle(fates);
			service().onContact = () => {
				if (contacts().length !== dies + 1) return;
				const contacted = contacts().map(({ toNumber }) => toNumber);
				atDeath = { row: [...(store.rows.get(nodeId) ?? [])], contacted };
			};

			const ended = await passing(
				Promise.all(
					runs.map(async ({ begin, people, hours, cancelAfter, onError, ...options }) => {
						await new Promise((resolve) => setTimeout(resolve, begin));
						const items = people.map((person) => PEOPLE[person] ?? {});
						const execution = startNode({
							...setup(running, items, {
								...options,
								notAgainWithin: before.length > 0 ? 24 : hours,
							}),
							settings: { onError },
						});
						if (cancelAfter < Infinity) setTimeout(execution.cancel, cancelAfter);
						const { items: output } = await execution.finished;
						const isCutShort = onError === 'stopWorkflow' || cancelAfter < Infinity;
						return { output, at: Date.now(), items: isCutShort ? 0 : items.length };
					}),
				),
			);
			await jest.advanceTimersByTimeAsync(MARKED_AFTER);

			for (const { to } of PEOPLE) {
				const own = requests.filter(({ toNumber }) => toNumber === to);
				// Nobody is sent to twice, nor while another request may reach the same person.
				expect(own.findIndex(({ fate }) => fate !== 'refused') + 1 || own.length).toBe(own.length);
				expect(own.slice(1).every(({ begin }, place) => begin >= (own[place]?.end ?? 0))).toBe(
					true,
				);
			}
			for (const { output, at, items } of ended) {
				// Nobody is left out without a reason.
				const tried = output.filter(({ json }) => kindOf(json) !== 'stopped');
				expect(tried.length).toBeGreaterThanOrEqual(items);
				const contacted = contacts().filter(({ begin }) => begin <= at);
				const held = output.filter(({ json }) => isHeldBack(json));
				expect(contacted.map(({ toNumber }) => toNumber)).toEqual(
					expect.arrayContaining(held.map(({ json }) => json.toNumber)),
				);
			}
			const contacted = sorted(contacts().map(({ toNumber }) => toNumber));
			jest.setSystemTime(Date.now() + asked * HOUR);
			expect(await heldBackIn(later)).toEqual(contacted);

			await jest.advanceTimersByTimeAsync(MARKED_AFTER);
			store.rows.set(nodeId, atDeath.row);
			expect(await heldBackIn(recovered)).toEqual(expect.arrayContaining(atDeath.contacted));
		}),
		{ numRuns: 60 },
	);
});
