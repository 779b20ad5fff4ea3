import { useBookWorld } from './contactBook';
import { closedHours } from './contacts';
import { retryRun, runFromStart, runNode, type NodeRun } from './engine';
import { isFor } from './recipients';
import { callsByRecipient, numbers } from './world';

/** Rows of one person that were held back lie between those that were called, and get other numbers before the retry. */

const { simulator, calls } = useBookWorld();

const [ada = { to: '' }] = numbers(1);
const OPEN = '00:00-24:00';
const closed = (): string => closedHours().allowedHours;
const RULES = { allowedHours: '={{ $json.hours }}', timezone: 'UTC' };

const peopleWith = (...hours: string[]) => hours.map((one) => ({ ...ada, hours: one }));

/** Refuses the second call to Ada from now on. */
function refuseSecond(): void {
	let asked = 0;
	const when = (request: Parameters<ReturnType<typeof isFor>>[0]): boolean =>
		isFor(0)(request) && ++asked === 2;
	simulator().addFault({ kind: 'status', status: 400, when });
}

const retryWithOtherNumbers = async ({ run }: NodeRun) => {
	const retry = calls([], { allowedHours: OPEN }, { mode: 'retry' });
	const toNumber = '={{ $itemIndex < 2 ? "+1555000100" + (8 + $itemIndex) : $json.to }}';
	return await retryRun(run, { ...retry, parameters: { ...retry.parameters, toNumber } });
};

test('of two items after one call, one is sent', async () => {
	refuseSecond();
	const failed = await runNode(calls(peopleWith(closed(), closed(), OPEN, OPEN), RULES));

	await retryWithOtherNumbers(failed);

	const others = { '+15550001008': 1, '+15550001009': 1 };
	expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 2, ...others });
});

test('two items after two calls, one of them before n8n died, are not sent', async () => {
	const token = 'a crash with gaps';
	await runFromStart(calls(peopleWith(OPEN), RULES, { mode: 'trigger' }), token);
	refuseSecond();
	const people = peopleWith(OPEN, closed(), OPEN, OPEN);
	const failed = await runFromStart(calls(people, RULES, { mode: 'retry' }), token);

	await retryWithOtherNumbers(failed);

	expect(callsByRecipient(simulator())).toMatchObject({ [ada.to]: 2 });
});
