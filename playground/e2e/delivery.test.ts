import { callsPlaced, holdAnswers, people, PLACE_CALL, reached } from './calls';
import { createOneNode, useWorld, runOneNode, START } from './world';

const PEOPLE = people(40);

const world = useWorld();

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
