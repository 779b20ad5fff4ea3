import { callsPlaced, holdAnswers, people, PLACE_CALL, reached, refuseOnce } from './calls';
import { createOneNode, jsonOf, useWorld, runOneNode, START } from './world';

const PEOPLE = people(40);

const world = useWorld();

const once = PEOPLE.map(() => 1);

describe('a failed execution that is retried', () => {
	it('calls nobody twice with the workflow as it is saved now', async () => {
		refuseOnce(world().simulator, PEOPLE[12]);
		const failed = await runOneNode(world(), PLACE_CALL, PEOPLE);

		const retried = await world().client.retry(failed.id, true);

		expect([failed.status, retried.status]).toEqual(['error', 'success']);
		expect(reached(world().simulator, PEOPLE)).toEqual(once);
		expect(jsonOf(retried)[0]).toMatchObject(
			PEOPLE.map(({ phone }) => ({ toNumber: phone, result: 'placed' })),
		);
	});

	it('again and again, until everybody was called once', async () => {
		for (const index of [3, 17, 31]) refuseOnce(world().simulator, PEOPLE[index]);
		// One at a time: no try meets two of the refusals.
		const oneAtATime = { ...PLACE_CALL, options: { maxConcurrentRequests: 1 } };
		let execution = await runOneNode(world(), oneAtATime, PEOPLE);
		const statuses = [execution.status];
		while (execution.status === 'error' && statuses.length < 6) {
			execution = await world().client.retry(execution.id);
			statuses.push(execution.status);
		}

		expect(statuses).toEqual(['error', 'error', 'error', 'success']);
		expect(reached(world().simulator, PEOPLE)).toEqual(once);
	});

	it('calls nobody twice when it is retried twice', async () => {
		refuseOnce(world().simulator, PEOPLE[12]);
		const failed = await runOneNode(world(), PLACE_CALL, PEOPLE);

		const first = await world().client.retry(failed.id);
		const second = await world().client.retry(failed.id);

		expect([first.status, second.status]).toEqual(['success', 'success']);
		expect(reached(world().simulator, PEOPLE)).toEqual(once);
		expect(jsonOf(second)).toEqual(jsonOf(first));
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
