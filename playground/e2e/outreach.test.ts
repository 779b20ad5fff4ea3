import { people, PLACE_CALL, reached } from './calls';
import { createOneNode, jsonOf, START, useWorld } from './world';
import { zoneAt } from './zones';

const world = useWorld();

const isAsleep = (index: number): boolean => index % 10 === 3;

const ALL = people(500).map((person, index) => ({
	...person,
	zone: zoneAt(isAsleep(index) ? 23 : 13),
}));
const ON_LIST = ALL.filter((_, index) => index % 25 === 0);
const CONTACTED = ALL.filter((_, index) => index % 50 === 1);

const OPTIONS = {
	allowedHours: { values: [{ days: [], from: '08:00', to: '20:00' }] },
	timezone: '={{ $json.zone }}',
	doNotContact: ON_LIST.map(({ phone }) => phone).join('; '),
	notAgainWithin: 24,
	maxPeople: 500,
};

test('of 500 contacts exactly those are called who may be, and nobody twice', async () => {
	const { client, simulator } = world();
	const { id } = await createOneNode(world(), { ...PLACE_CALL, options: OPTIONS }, CONTACTED);
	await client.run(id, START);
	simulator.reset();
	await client.updateWorkflow(id, { pinData: { [START]: ALL.map((json) => ({ json })) } });

	const [first = []] = jsonOf(await client.run(id, START));
	const afterFirst = reached(simulator, ALL);
	const [second = []] = jsonOf(await client.run(id, START));

	const isCalled = ALL.map(
		(person, index) => !ON_LIST.includes(person) && !CONTACTED.includes(person) && !isAsleep(index),
	);
	expect(afterFirst).toEqual(isCalled.map(Number));
	expect(first.map(({ status }) => status === 'placed')).toEqual(isCalled);
	expect(second.map(({ sent }) => sent)).toEqual(Array(500).fill(false));
	expect(reached(simulator, ALL)).toEqual(afterFirst);
});
