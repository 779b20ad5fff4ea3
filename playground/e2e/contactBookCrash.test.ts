import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../eventually';
import { itemsOf } from '../executions';
import { post } from '../post';
import { apiCredentialData } from '../setup';
import { activateCalls, CALL_NODE, callsPlaced, holdAnswers, people, reached } from './calls';
import { CALL_WITH_BOOK, each, ONCE_A_DAY, openBook, outcomesOf, WITH_BOOK } from './contactBook';
import { openOwnWorld } from './ownWorld';
import { jsonOf, runOneNode, useOpened, withCredential } from './world';

const STATE = path.join(__dirname, '..', '.state');

describe('n8n that is killed while calls are under way', () => {
	const world = useOpened(
		async () => await openOwnWorld(path.join(STATE, 'book-crash')),
		async ({ stop }) => stop(),
	);

	it('leaves a row of each: a retry knows who was reached, and nobody calls them again', async () => {
		const book = await openBook(world());
		const { client, simulator, credentials, crash } = book.world;
		const [called, others] = [people(8), people(4, 1)];
		const [answered, underWay] = [called.slice(0, 3), called.slice(3)];
		const { workflow, path: webhook } = await activateCalls(client, credentials, {
			parameters: { ...WITH_BOOK, ...ONCE_A_DAY },
		});
		const goOn = holdAnswers(simulator, answered.length);
		await post(`${client.baseUrl}${webhook}`, { people: called });
		await callsPlaced(simulator, called.length);
		const afterAnswers = [...each(answered, 'accepted'), ...each(underWay, 'claimed')];
		await eventually('rows of what was answered', async () => {
			const outcomes = await outcomesOf(book);
			return isDeepStrictEqual(outcomes, afterAnswers) ? true : undefined;
		});

		await crash();
		goOn();
		const [crashed] = await client.allFinished(workflow.id);
		const retried = await client.retry(crashed?.id ?? '');
		// A claim of the last minutes is waited for, here not for long.
		const parameters = { ...CALL_WITH_BOOK, ...ONCE_A_DAY, options: { maxWait: 1 } };
		const later = await runOneNode(book.world, parameters, [...called, ...others]);

		expect(crashed?.status).toBe('crashed');
		expect(retried.status).toBe('error');
		expect(retried.data.resultData.error?.description).toContain(
			'Of 8 items: 3 placed, 5 unknown.',
		);
		expect(itemsOf(retried, CALL_NODE)).toEqual([]);
		expect(jsonOf(later)[0]).toMatchObject([
			...called.map(() => ({ result: 'heldBack', reason: 'contactedRecently' })),
			...others.map(() => ({ result: 'placed' })),
		]);
		expect(reached(simulator, [...called, ...others])).toEqual(Array(12).fill(1));
		expect(await outcomesOf(book)).toEqual([...afterAnswers, ...each(others, 'accepted')]);
	});
});

describe('an n8n with SSRF protection', () => {
	const settings = {
		N8N_SSRF_PROTECTION_ENABLED: 'true',
		N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
	};
	const world = useOpened(
		async () => await openOwnWorld(path.join(STATE, 'book-ssrf'), { settings }),
		async ({ stop }) => stop(),
	);
	const localhost = (address: string): string => address.replace('127.0.0.1', 'localhost');

	it('reaches itself only at an address that is allowed, and says so before anybody is called', async () => {
		const { client, simulator } = world();
		const service = apiCredentialData(simulator);
		const allowed = await withCredential(world(), {
			...service,
			baseUrl: localhost(service.baseUrl),
		});
		const book = await openBook(allowed, { baseUrl: localhost(client.baseUrl) });
		const execution = await runOneNode(book.world, CALL_WITH_BOOK, people(2));
		expect(execution.status).toBe('success');
		expect(await outcomesOf(book)).toEqual(each(people(2), 'accepted'));
		const { assistantServiceContactBookApi: credential } = book.world.credentials;
		const data = { ...book.data, baseUrl: client.baseUrl };
		await client.saveCredential(credential.type, credential.name, data);

		const tested = await client.testCredential(credential, data);
		const blocked = await runOneNode(book.world, CALL_WITH_BOOK, people(2));

		const says = /contact book cannot be reached: .*SSRF protection/;
		expect(tested).toEqual({
			status: 'Error',
			message: expect.stringMatching(says) as unknown,
		});
		expect(blocked.status).toBe('error');
		expect(blocked.data.resultData.error?.message).toMatch(says);
		expect(blocked.data.resultData.error?.description).toContain('must be allowed');
		expect(reached(simulator, people(2))).toEqual([1, 1]);
	});
});
