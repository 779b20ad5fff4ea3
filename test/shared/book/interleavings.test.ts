import type { BookRow } from '../../../nodes/shared/book/columns';
import { judge, viewOf } from '../../../nodes/shared/book/view';

/**
 * Every order in which claimants of one number can insert, commit, read, withdraw and settle, in processes that see nothing
 * of each other but committed rows. IDs are given at the insert, as in PostgreSQL.
 */
type Phase =
	| 'look'
	| 'insert'
	| 'commit'
	| 'read'
	| 'withdraw'
	| 'claimAgain'
	| 'send'
	| 'accept'
	| 'refuse'
	| 'ended';

interface Claimant {
	readonly phase: Phase;
	readonly id: number;
	readonly outcome: 'none' | 'claimed' | 'notMade' | 'accepted';
}

interface World {
	readonly nextId: number;
	/** How many of the first that are sent the service refuses. */
	readonly refusals: number;
	readonly claimants: readonly Claimant[];
}

const NOW = 1_000_000;

const rowOf = ({ id, outcome }: Claimant): BookRow[] =>
	outcome === 'none'
		? []
		: [
				{
					id,
					phone: '+491',
					contactedAt: NOW,
					operation: 'call.place',
					outcome,
					contactId: null,
					reference: null,
					workflow: null,
					execution: null,
					mode: 'live',
					doNotContact: false,
					resumeUrl: null,
					claim: null,
					createdAt: NOW,
					updatedAt: '',
				},
			];

const view = (world: World, own: number) =>
	viewOf(world.claimants.flatMap(rowOf), {
		mode: 'live',
		own: new Set([own]),
		isOfEarlierTry: false,
		now: NOW,
		isPatient: true,
	});

/** What can become of a claimant by its next step; the same world if it waits. */
function step(world: World, place: number, decide: typeof judge): World {
	const claimant = world.claimants[place];
	if (!claimant) return world;
	const become = (changes: Partial<Claimant>, more: Partial<World> = {}): World => ({
		...world,
		...more,
		claimants: world.claimants.map((one, at) => (at === place ? { ...one, ...changes } : one)),
	});
	const { contacts, rivals } = view(world, claimant.id);
	switch (claimant.phase) {
		case 'look':
			if (contacts.length > 0) return become({ phase: 'ended' });
			if (rivals.length > 0) return world;
			return become({ phase: claimant.id === 0 ? 'insert' : 'claimAgain' });
		case 'insert':
			return become({ phase: 'commit', id: world.nextId }, { nextId: world.nextId + 1 });
		case 'commit':
		case 'claimAgain':
			return become({ phase: 'read', outcome: 'claimed' });
		case 'read': {
			if (contacts.length > 0) return become({ phase: 'withdraw' });
			const verdict = decide(claimant.id, rivals);
			if (verdict === 'keep') return world;
			return become({ phase: verdict === 'go' ? 'send' : 'withdraw' });
		}
		case 'withdraw':
			return become({ phase: 'look', outcome: 'notMade' });
		case 'send':
			return world.refusals > 0
				? become({ phase: 'refuse' }, { refusals: world.refusals - 1 })
				: become({ phase: 'accept' });
		case 'refuse':
			return become({ phase: 'ended', outcome: 'notMade' });
		case 'accept':
			return become({ phase: 'ended', outcome: 'accepted' });
		case 'ended':
			return world;
	}
}

/** All worlds that can come of a first one, with what can follow each. */
function explore(
	first: World,
	decide = judge,
): ReadonlyMap<string, { world: World; next: string[] }> {
	const worlds = new Map<string, { world: World; next: string[] }>();
	const open = [first];
	for (let world = open.pop(); world !== undefined; world = open.pop()) {
		const key = JSON.stringify(world);
		if (worlds.has(key)) continue;
		const from = world;
		const following = world.claimants
			.map((_, place) => step(from, place, decide))
			.filter((next) => next !== from);
		worlds.set(key, { world, next: following.map((next) => JSON.stringify(next)) });
		open.push(...following);
	}
	return worlds;
}

const start = (claimants: number, refusals: number): World => ({
	nextId: 1,
	refusals,
	claimants: Array.from({ length: claimants }, () => ({ phase: 'look', id: 0, outcome: 'none' })),
});

const isTwice = ({ claimants }: World): boolean =>
	claimants.filter(hasSent).length > 1 ||
	claimants.filter(({ phase }) => ['send', 'refuse', 'accept'].includes(phase)).length > 1;

const hasSent = ({ phase, outcome }: Claimant): boolean =>
	['send', 'accept'].includes(phase) || outcome === 'accepted';

describe.each([
	[2, 0],
	[2, 1],
	[3, 0],
	[3, 1],
	[3, 2],
])('%i claimants of one number, %i refused', (claimants, refusals) => {
	const worlds = explore(start(claimants, refusals));

	test('at no moment are two on their way, and one at most is accepted', () => {
		expect(worlds.size).toBeGreaterThan(50);
		const twice = [...worlds.values()].filter(({ world }) => isTwice(world));
		expect(twice.map(({ world }) => world)).toEqual([]);
	});

	test('from every moment on all can end, and then one was accepted', () => {
		const isOver = ({ claimants: all }: World) => all.every(({ phase }) => phase === 'ended');
		const ends = [...worlds.values()].filter(({ next }) => next.length === 0);
		expect(ends.filter(({ world }) => !isOver(world))).toEqual([]);
		const accepted = ends.map(
			({ world }) => world.claimants.filter(({ outcome }) => outcome === 'accepted').length,
		);
		expect(new Set(accepted)).toEqual(new Set([1]));

		// Backwards from the ends: a circle without a way out would be left over.
		const before = new Map<string, string[]>();
		for (const [key, { next }] of worlds)
			for (const one of next) before.set(one, [...(before.get(one) ?? []), key]);
		const canEnd = new Set<string>();
		const open = ends.map(({ world }) => JSON.stringify(world));
		for (let key = open.pop(); key !== undefined; key = open.pop()) {
			if (canEnd.has(key)) continue;
			canEnd.add(key);
			open.push(...(before.get(key) ?? []));
		}
		expect(worlds.size - canEnd.size).toBe(0);
	});
});

test('if the lowest ID won, two would be sent', () => {
	// A has inserted first and commits last: B sees itself alone, and A sees that its own ID is the lowest.
	const lowestWins: typeof judge = (ownId, rivals) =>
		rivals.every((id) => id > ownId) ? 'go' : 'withdraw';

	const worlds = explore(start(2, 0), lowestWins);

	expect([...worlds.values()].filter(({ world }) => isTwice(world)).length).toBeGreaterThan(0);
});
