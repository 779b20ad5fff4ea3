import { claimAll } from '../../../nodes/shared/book/claims';
import { OptOuts } from '../../../nodes/shared/book/optOuts';
import { TableApi, type ApiRequest } from '../../../nodes/shared/book/tableApi';
import { claimingOf } from './claimWorld';
import { startTable } from './memoryTable';

/** Lets promises have their turn. */
const settled = async (): Promise<void> => {
	await new Promise((resolve) => setImmediate(resolve));
};

/**
 * Processes claim one number at the same moment, each once. They see nothing of each other but committed rows, and IDs are
 * given at the insert, as in PostgreSQL.
 *
 * @param processes how many
 * @param choose says which of the processes that can do a step does the next one: looks, inserts, commits, looks again, or
 * withdraws; `undefined` to stop
 * @returns those that could, when it stopped; and how many have their claim, and how many claims stand in the table
 */
async function playOut(processes: number, choose: (able: readonly number[]) => number | undefined) {
	const table = startTable();
	const steps = new Map<number, () => void>();
	const step = async (process: number): Promise<void> => {
		await new Promise<void>((resolve) => steps.set(process, resolve));
	};
	const send = async (process: number, request: ApiRequest) => {
		const isOfList = request.path.includes('doNotContact');
		if (!isOfList) await step(process);
		const commit = table.begin(request);
		if (request.method === 'POST') await step(process);
		return { status: 200, body: commit() };
	};
	const claims = Array.from({ length: processes }, async (_, process) => {
		const api = new TableApi(async (request) => await send(process, request), 'T');
		const [attempt] = await claimAll(api, new OptOuts(), [claimingOf()]);
		return attempt?.claim === undefined ? [] : [attempt.claim];
	});
	for (;;) {
		await settled();
		const able = [...steps.keys()].sort();
		const next = able.length > 0 ? choose(able) : undefined;
		if (next === undefined && able.length > 0) return { able };
		if (next === undefined) break;
		steps.get(next)?.();
		steps.delete(next);
	}
	const kept = (await Promise.all(claims)).flat();
	const standing = [...table.rows.values()].filter(({ outcome }) => outcome === 'claimed');
	return { able: [], kept, standing: standing.map(({ claim }) => claim) };
}

test('in every order of two processes, at most one keeps its claim, and no other stands', async () => {
	const ends = new Map<string, number>();
	const explore = async (order: readonly number[]): Promise<void> => {
		let steps = 0;
		const { able, kept, standing } = await playOut(2, () => order[steps++]);
		for (const next of able) await explore([...order, next]);
		if (kept === undefined) return;
		expect(standing).toEqual(kept);
		const end = `${kept.length} of ${standing.length}`;
		ends.set(end, (ends.get(end) ?? 0) + 1);
	};

	await explore([]);

	expect([...ends.keys()].sort()).toEqual(['0 of 0', '1 of 1']);
	expect(Math.min(...ends.values())).toBeGreaterThan(20);
});
