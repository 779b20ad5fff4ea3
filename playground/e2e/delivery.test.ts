import { callsPlaced, holdAnswers, people, PLACE_CALL, reached, refuseOnce } from './calls';
import { createOneNode, jsonOf, useWorld, runOneNode, START } from './world';

const PEOPLE = people(40);

const world = useWorld();

const once = PEOPLE.map(() => 1);

describe('a failed execution', () => {
	it('that is retried again and again, and once more from its start, calls everybody once', async () => {
		const { client, simulator } = world();
		for (const index of [3, 17, 31]) refuseOnce(simulator, PEOPLE[index]);
		// One at a time: no try meets two of the refusals.
		const oneAtATime = { ...PLACE_CALL, options: { maxConcurrentRequests: 1 } };
		const executions = [await runOneNode(world(), oneAtATime, PEOPLE)];
		while (executions.at(-1)?.status === 'error' && executions.length < 6) {
			executions.push(await client.retry(executions.at(-1)?.id ?? ''));
		}
		const asSavedNow = await client.retry(executions[0]?.id ?? '', true);

		expect(executions.map(({ status }) => status)).toEqual(['error', 'error', 'error', 'success']);
		expect(reached(simulator, PEOPLE)).toEqual(once);
		expect(jsonOf(asSavedNow)).toEqual(executions.slice(-1).flatMap(jsonOf));
		expect(jsonOf(asSavedNow)[0]).toMatchObject(
			PEOPLE.map(({ phone }) => ({ toNumber: phone, result: 'placed' })),
		);
	});
});

describe('a running execution that is stopped', () => {
	it('sends no more', async () => {
		const goOn = holdAnswers(world().simulator);
		const options = { maxConcurrentRequests: 4 };
		const { id } = await createOneNode(world(), { ...PLACE_CALL, options }, PEOPLE);
		const executionId = await world().client.start(id, START);
		await callsPlaced(world().simulator, 4);

		await world().client.stop(executionId);
		const stopped = await world().client.finished(executionId);
		goOn();
		// What the stopped one would still send is sent before this.
		await runOneNode(world(), PLACE_CALL, people(5, 1));

		expect(stopped.status).toBe('canceled');
		expect(reached(world().simulator, PEOPLE)).toEqual(PEOPLE.map((_, index) => Number(index < 4)));
	});
});
