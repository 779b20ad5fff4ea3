import { describeBursts } from './bursts';
import { describeDeliveries } from './deliveries';
import { describeExecutions } from './executions';
import { describeOutages } from './outages';
import { openQueueWorld, type QueueWorld } from './world';

const STARTED_WITHIN_MS = 400_000;

let world: QueueWorld | undefined;

beforeAll(async () => {
	world = await openQueueWorld();
}, STARTED_WITHIN_MS);

afterAll(async () => {
	await world?.simulator.stop();
	await world?.cluster.stop();
});

const opened = (): QueueWorld => {
	if (world === undefined) throw new Error('the cluster did not start');
	return world;
};

// What takes something away comes last.
describeExecutions(opened);
describeBursts(opened);
describeDeliveries(opened);
describeOutages(opened);
