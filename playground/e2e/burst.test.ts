import { refuseBursts } from '../../test/simulator/bursts';
import { activateSingleCalls, people, postEach, requestsFor, statuses, tally } from './calls';
import { useWorld } from './world';

/** One that is refused, and the one that is served. */
const MAX_REQUESTS_PER_CALL = 2;

const world = useWorld();

it('200 executions of one call each at once, of which the service takes 20 a second: everybody is called once', async () => {
	const { client, simulator, credentials } = world();
	const all = people(200);
	const { workflow, path } = await activateSingleCalls(client, credentials);
	refuseBursts(simulator, 20);

	await postEach(`${client.baseUrl}${path}`, all);
	const ended = await client.allFinished(workflow.id);

	expect(tally(simulator, all)).toEqual({ once: all.length, moreOften: 0, never: 0 });
	expect(statuses(ended)).toEqual({ success: all.length });
	expect(Math.max(...requestsFor(simulator, all))).toBeLessThanOrEqual(MAX_REQUESTS_PER_CALL);
});
