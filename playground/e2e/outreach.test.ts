import { people, PLACE_CALL, reached } from './calls';
import { createOneNode, jsonOf, linesInLog, START, useWorld } from './world';

const world = useWorld();

const hourIn = (zone: string): number =>
	Number(
		new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(),
	);

/** A zone in which it is this hour now. */
const zoneAt = (hour: number): string =>
	Array.from({ length: 12 }, (_, index) => [`Etc/GMT+${index}`, `Etc/GMT-${index + 1}`])
		.flat()
		.find((zone) => hourIn(zone) === hour) ?? 'UTC';

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

	const logged = linesInLog('items').length;
	const [first = []] = jsonOf(await client.run(id, START));
	const progress = linesInLog('items').slice(logged);
	const afterFirst = reached(simulator, ALL);
	const [second = []] = jsonOf(await client.run(id, START));

	const isCalled = ALL.map(
		(person, index) => !ON_LIST.includes(person) && !CONTACTED.includes(person) && !isAsleep(index),
	);
	expect(afterFirst).toEqual(isCalled.map(Number));
	expect(first.map(({ status }) => status === 'placed')).toEqual(isCalled);
	const placed = isCalled.filter(Boolean).length;
	const sum = `Of 500 items: ${placed} placed, ${500 - placed} held back`;
	const steps = [50, 100, 150, 200, 250, 300, 350, 400, 450].map(
		(ended) => `${ended} of 500 items have ended. `,
	);
	for (const text of [...steps, sum]) {
		expect(progress).toContainEqual(expect.stringContaining(`Assistant Service: ${text}`));
	}
	expect(second.map(({ sent }) => sent)).toEqual(Array(500).fill(false));
	expect(reached(simulator, ALL)).toEqual(afterFirst);
});
