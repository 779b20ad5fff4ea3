import { people, PLACE_CALL, reached } from './calls';
import { createOneNode, jsonOf, linesInLog, START, useWorld } from './world';
import { zoneAt } from './zones';

const world = useWorld();

const isAsleep = (index: number): boolean => index % 10 === 3;

const ALL = people(500).map((person, index) => ({
	...person,
	zone: zoneAt(isAsleep(index) ? 23 : 13),
}));
const ON_LIST = ALL.filter((_, index) => index % 25 === 0);
const CONTACTED = ALL.filter((_, index) => index % 50 === 1);

const RULES = {
	allowedHours: '08:00-20:00',
	timezone: '={{ $json.zone }}',
	doNotContact: ON_LIST.map(({ phone }) => phone).join('; '),
	notAgainWithin: 24,
	maxPeople: 500,
};

test('of 500 contacts exactly those are called who may be, and nobody twice', async () => {
	const { client, simulator } = world();
	const { id } = await createOneNode(world(), { ...PLACE_CALL, contactRules: RULES }, CONTACTED);
	await client.run(id, START);
	simulator.reset();
	await client.updateWorkflow(id, { pinData: { [START]: ALL.map((json) => ({ json })) } });

	const logged = linesInLog('items').length;
	const [first = []] = jsonOf(await client.run(id, START));
	const progress = linesInLog('items').slice(logged);
	const afterFirst = reached(simulator, ALL);
	const [second = []] = jsonOf(await client.run(id, START));

	const isCalled = ALL.map(
		(person, index) => !ON_LIST.includes(person) && !CONTACTED.includes(person) && !isAsleep(index),
	);
	expect(afterFirst).toEqual(isCalled.map(Number));
	expect(first.map(({ toNumber }) => toNumber)).toEqual(ALL.map(({ phone }) => phone));
	expect(first.map(({ result }) => result === 'placed')).toEqual(isCalled);
	const placed = isCalled.filter(Boolean).length;
	const sum = `Of 500 items: ${placed} placed, ${500 - placed} held back`;
	const steps = [50, 100, 150, 200, 250, 300, 350, 400, 450].map(
		(ended) => `${ended} of 500 items have ended. `,
	);
	for (const text of [...steps, sum]) {
		expect(progress).toContainEqual(expect.stringContaining(`Assistant Service: ${text}`));
	}
	expect(second.map(({ result }) => result)).toEqual(Array(500).fill('heldBack'));
	expect(reached(simulator, ALL)).toEqual(afterFirst);
});
