import { people, reached } from '../e2e/calls';
import { CALL_WITH_BOOK, each, ONCE_A_DAY, openBook, outcomesOf } from '../e2e/contactBook';
import type { OwnWorld } from '../e2e/ownWorld';
import { jsonOf, runOneNode } from '../e2e/world';
import { bookCredentialData } from '../setup';
import type { Check } from './document';

const PEOPLE = people(8, 3);

async function keepsContacts(world: OwnWorld): Promise<void> {
	const book = await openBook(world);
	const call = async () =>
		await runOneNode(book.world, { ...CALL_WITH_BOOK, ...ONCE_A_DAY }, PEOPLE);
	const results = [await call(), await call()].map((run) => jsonOf(run)[0]);

	expect(results.map((items) => items?.map(({ result }) => result))).toEqual([
		PEOPLE.map(() => 'placed'),
		PEOPLE.map(() => 'heldBack'),
	]);
	expect(reached(world.simulator, PEOPLE)).toEqual(PEOPLE.map(() => 1));
	expect(await outcomesOf(book)).toEqual(each(PEOPLE, 'accepted'));
}

async function saysThatItCannot(world: OwnWorld): Promise<void> {
	const { client, simulator, credentials } = world;
	const { assistantServiceContactBookApi: credential } = credentials;
	const tested = await client.testCredential(credential, await bookCredentialData(client));
	const execution = await runOneNode(world, CALL_WITH_BOOK, PEOPLE);

	const says = /n8n must know Data Tables over its API/;
	expect(tested).toEqual({ status: 'Error', message: expect.stringMatching(says) as unknown });
	expect(execution.status).toBe('error');
	expect(execution.data.resultData.error?.description).toMatch(says);
	expect(simulator.requests).toEqual([]);
}

/** What a release can do is asked of its own description of its API. */
export const BOOK_CHECK: Check = {
	title: 'The contact book holds back whom another workflow has called',
	limit: {
		before: '2.7',
		text: 'n8n has no Data Tables in its public API. The test of the credential says so, and a node with the contact book sends nothing.',
	},
	async run(world) {
		const description = await world.client.served<string>('api/v1/openapi.yml');
		await (description.includes('/data-tables:') ? keepsContacts(world) : saysThatItCannot(world));
	},
};
