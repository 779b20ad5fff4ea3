import { CONTINUE, useContacts } from './contacts';
import { runNode, type NodeRun } from './engine';
import { isFor } from './recipients';
import { credentialFor, numbers } from './world';

const { simulator, calls } = useContacts();

const failuresOf = ({ items }: NodeRun) => items.map(({ json }) => json.details);

test('a hold is for all executions with the same key, and for no other key', async () => {
	// The longest hold that is kept for runs that begin later.
	simulator().addFault({ kind: 'rateLimited', retryAfter: '30', times: 1 });
	const call = calls(numbers(1), {}, {}, { maxWait: 1 });
	await runNode(call);

	const same = await runNode(call);
	const credential = { ...credentialFor(simulator()), apiKey: 'another key' };
	const other = await runNode(calls(numbers(1), {}, { credential }));

	expect(same.error?.context.details).toMatchObject({ kind: 'rateLimited', outcome: 'notSent' });
	expect(other.error?.context.details).toMatchObject({ kind: 'invalidApiKey' });
});

test('a wait that is too long fails the waiting items at once, and says when to come back', async () => {
	simulator().addFault({ kind: 'rateLimited', retryAfter: '3600', when: isFor(3), times: 1 });

	const run = await runNode(calls(numbers(30), {}, CONTINUE, { maxConcurrentRequests: 1 }));

	const hint = expect.stringMatching(/wants to be asked again at \d+-\d\d-\d\dT/) as unknown;
	const failed = { kind: 'rateLimited', outcome: 'notSent', httpStatus: null, hint };
	expect(failuresOf(run)).toEqual([
		...Array<undefined>(3).fill(undefined),
		expect.objectContaining({ ...failed, outcome: 'refused', httpStatus: 429 }),
		...Array<unknown>(26).fill(expect.objectContaining(failed)),
	]);
	expect(simulator().requests).toHaveLength(4);
});
