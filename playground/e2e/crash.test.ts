import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../eventually';
import { itemsOf } from '../executions';
import { post } from '../post';
import type { SavedWorkflow } from '../restTypes';
import {
	activateCalls,
	CALL_NODE,
	callsPlaced,
	countOf,
	holdAnswers,
	inLoop,
	MARKED_AT_ONCE,
	people,
	PLACE_CALL,
	reached,
	type CallsOptions,
} from './calls';
import { each, ONCE_A_DAY, openBook, outcomesOf } from './contactBook';
import { openOwnWorld } from './ownWorld';
import { jsonOf, runOneNode, useOpened } from './world';

const PEOPLE = people(200);
const USER_FOLDER = path.join(__dirname, '..', '.state', 'crash');

const world = useOpened(async () => await openOwnWorld(USER_FOLDER));

beforeEach(() => {
	world().simulator.reset();
});

async function callPeople(pathOfWebhook: string, these = PEOPLE): Promise<void> {
	await post(`${world().client.baseUrl}${pathOfWebhook}`, { people: these });
}

/** Kills n8n without a word, and starts it again; gives the executions that it was at. */
async function crash({ id }: SavedWorkflow): Promise<string[]> {
	await world().crash();
	const ended = await world().client.allFinished(id);
	return ended.filter(({ status }) => status === 'crashed').map((execution) => execution.id);
}

/** Calls the people, and kills n8n when so many have got an answer; gives the execution. */
async function crashAfter(answered: number, options?: CallsOptions): Promise<string> {
	const { client, simulator, credentials } = world();
	const { workflow, path } = await activateCalls(client, credentials, options);
	const goOn = holdAnswers(simulator, answered);
	await callPeople(path);
	await callsPlaced(simulator, answered + 1);
	const crashed = await crash(workflow);
	goOn();
	expect(crashed).toHaveLength(1);
	return crashed[0] ?? '';
}

describe('when n8n is killed', () => {
	it('in the middle of the calls, a retry calls the others, nobody twice', async () => {
		const { client, simulator } = world();
		const crashed = await crashAfter(60);
		const before = countOf(reached(simulator, PEOPLE), 1);

		const first = await client.retry(crashed);
		const afterFirst = reached(simulator, PEOPLE);
		const second = await client.retry(first.id);
		const again = await client.retry(crashed);

		expect(before).toBeLessThan(PEOPLE.length - MARKED_AT_ONCE);
		expect(countOf(afterFirst, 1)).toBeGreaterThanOrEqual(PEOPLE.length - MARKED_AT_ONCE);
		expect(countOf(afterFirst, 0) + countOf(afterFirst, 1)).toBe(PEOPLE.length);
		expect(reached(simulator, PEOPLE)).toEqual(afterFirst);
		expect([first, second, again].map(({ status }) => status)).toEqual(Array(3).fill('error'));
	});

	it('in the third round of a loop, a retry goes through its rounds and calls nobody twice', async () => {
		const { client, simulator } = world();
		const retried = await client.retry(await crashAfter(100, { change: inLoop(40) }));

		expect(retried.status).toBe('success');
		const after = reached(simulator, PEOPLE);
		expect(countOf(after, 0) + countOf(after, 1)).toBe(PEOPLE.length);
		// Those of the third round may have been marked without being called.
		expect(countOf(after, 1)).toBeGreaterThan(160);
	});

	it('the contact book has a row of each call: a retry knows who was reached, and nobody calls them again', async () => {
		const book = await openBook(world());
		const { client, simulator, credentials } = book.world;
		const [called, others] = [people(8), people(4, 1)];
		const [answered, underWay] = [called.slice(0, 3), called.slice(3)];
		const options = { parameters: ONCE_A_DAY };
		const { workflow, path } = await activateCalls(client, credentials, options);
		const goOn = holdAnswers(simulator, answered.length);
		await callPeople(path, called);
		await callsPlaced(simulator, called.length);
		const afterAnswers = [...each(answered, 'accepted'), ...each(underWay, 'claimed')];
		await eventually('rows of what was answered', async () => {
			const outcomes = await outcomesOf(book);
			return isDeepStrictEqual(outcomes, afterAnswers) ? true : undefined;
		});

		const [crashed] = await crash(workflow);
		goOn();
		const retried = await client.retry(crashed ?? '');
		// A claim of the last minutes is waited for, here not for long.
		const soon = { ...PLACE_CALL, ...ONCE_A_DAY, options: { maxWait: 1 } };
		const later = await runOneNode(book.world, soon, [...called, ...others]);

		expect([retried.status, itemsOf(retried, CALL_NODE)]).toEqual(['error', []]);
		expect(retried.data.resultData.error?.description).toContain(
			'Of 8 items: 3 placed, 5 unknown.',
		);
		expect(jsonOf(later)[0]).toMatchObject([
			...called.map(() => ({ result: 'heldBack', reason: 'contactedRecently' })),
			...others.map(() => ({ result: 'placed' })),
		]);
		expect(reached(simulator, [...called, ...others])).toEqual(Array(12).fill(1));
		expect(await outcomesOf(book)).toEqual([...afterAnswers, ...each(others, 'accepted')]);
	});
});
