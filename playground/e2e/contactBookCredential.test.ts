import type { Scope } from '../../test/contactBook/dataTables/tables';
import { people } from './calls';
import { CALL_WITH_BOOK, openBook } from './contactBook';
import { jsonOf, runOneNode, useWorld } from './world';

const world = useWorld();

describe('the credential', () => {
	it('is tested: what works, and what does not in a sentence', async () => {
		const { world: own, data } = await openBook(world());
		const { client, simulator, credentials } = own;
		const keyWith = async (scope: Scope) => await client.apiKey([scope], scope);
		const test = async (changes: object) =>
			await client.testCredential(credentials.assistantServiceContactBookApi, {
				...data,
				...changes,
			});

		expect(await test({})).toEqual({
			status: 'OK',
			message: `Connected: the Data Table "${data.table}" is the contact book.`,
		});
		expect(await test({ baseUrl: ` ${client.baseUrl}/api/v1/ ` })).toMatchObject({ status: 'OK' });
		const bad: [object, RegExp][] = [
			[{ apiKey: 'wrong' }, /does not accept the API key/],
			[{ apiKey: await keyWith('dataTable:list') }, /lacks the scope dataTableRow:read/],
			[{ apiKey: await keyWith('dataTableRow:read') }, /lacks the scope dataTableRow:create/],
			[{ baseUrl: simulator.baseUrl }, /Check the Base URL/],
			[{ baseUrl: `${client.baseUrl}/home` }, /Check the Base URL/],
			[
				{ baseUrl: 'http://127.0.0.1:1' },
				/cannot be reached: n8n could not be reached.+ECONNREFUSED/,
			],
			[{ baseUrl: '' }, /Base URL of the contact book/],
			[{ table: '' }, /Table of the contact book/],
		];
		for (const [changes, message] of bad) {
			expect({ changes, ...(await test(changes)) }).toEqual({
				changes,
				status: 'Error',
				message: expect.stringMatching(message) as unknown,
			});
		}
	});

	it('with a key that is not accepted calls nobody', async () => {
		const book = await openBook(world());
		const { client, credentials } = book.world;
		const { name } = credentials.assistantServiceContactBookApi;
		await client.saveCredential('assistantServiceContactBookApi', name, {
			...book.data,
			apiKey: 'wrong',
		});

		const execution = await runOneNode(book.world, CALL_WITH_BOOK, people(2), {
			onError: 'continueRegularOutput',
		});

		expect(jsonOf(execution)[0]).toMatchObject(
			people(2).map(() => ({
				error: expect.stringMatching(/API key of the contact book/) as unknown,
				details: { kind: 'stopped', outcome: 'notSent' },
			})),
		);
		expect(world().simulator.requests).toEqual([]);
	});
});
