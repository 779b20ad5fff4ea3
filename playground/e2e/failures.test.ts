import type { INode, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../test/simulator/simulator';
import { PLACE_CALL, reached } from './calls';
import { jsonOf, useWorld, runOneNode } from './world';

const ADA = '+15550102001';
const GRACE = '+15550102002';
const KATHERINE = '+15550102003';
const PEOPLE = [ADA, GRACE, KATHERINE].map((phone) => ({ phone }));

const world = useWorld();

/** Lets one try to call Grace fail in this way. */
function failGrace(fault: Omit<Fault, 'endpoint' | 'when'>): void {
	world().simulator.addFault({
		endpoint: 'placeCall',
		when: ({ rawBody }) => rawBody.includes(GRACE),
		times: 1,
		...fault,
	});
}

interface OutcomeCase {
	outcome: string;
	parameters: INodeParameters;
	fault?: Omit<Fault, 'endpoint' | 'when'>;
	details: object;
	/** How often the service got the request, and acted on it. */
	requests: number;
	processed: number;
}

const OUTCOMES: OutcomeCase[] = [
	{
		outcome: 'refused',
		parameters: { fromNumber: '+15550109999' },
		details: { kind: 'invalidInput', httpStatus: 400 },
		requests: 1,
		processed: 0,
	},
	{
		outcome: 'notSent',
		parameters: { assistantId: 'the friendly one' },
		details: { kind: 'invalidInput', httpStatus: null },
		requests: 0,
		processed: 0,
	},
	{
		outcome: 'unknown',
		parameters: {},
		fault: { kind: 'resetAfter' },
		details: { kind: 'unreachable', httpStatus: null },
		requests: 1,
		processed: 1,
	},
];

describe('an item that failed, with On Error: Continue', () => {
	it.each(OUTCOMES)('$outcome', async (example) => {
		if (example.fault) failGrace(example.fault);
		const execution = await runOneNode(
			world(),
			{ ...PLACE_CALL, ...example.parameters },
			[{ phone: GRACE }],
			{ onError: 'continueRegularOutput' },
		);

		expect(execution.status).toBe('success');
		expect(jsonOf(execution)).toEqual([
			[
				{
					error: expect.stringMatching(/./) as unknown,
					details: expect.objectContaining({
						outcome: example.outcome,
						toNumber: GRACE,
						...example.details,
					}) as unknown,
				},
			],
		]);
		expect(world().simulator.requests).toHaveLength(example.requests);
		expect(world().simulator.processed()).toHaveLength(example.processed);
	});

	it('leaves by the error output where there is one', async () => {
		failGrace({ kind: 'status', status: 400 });
		const execution = await runOneNode(world(), PLACE_CALL, PEOPLE, {
			onError: 'continueErrorOutput',
		});

		const [accepted = [], failed = []] = jsonOf(execution);
		expect(accepted.map(({ toNumber }) => toNumber)).toEqual([ADA, KATHERINE]);
		expect(failed).toMatchObject([
			{ phone: GRACE, details: { outcome: 'refused', toNumber: GRACE } },
		]);
	});
});

describe('a run that stopped at a failed item', () => {
	it('is told in words, and its retry reaches only who was not reached', async () => {
		failGrace({ kind: 'status', status: 400, body: { msg: 'Invalid input' } });
		const stopped = await runOneNode(world(), PLACE_CALL, PEOPLE);

		expect(stopped.status).toBe('error');
		expect(stopped.data.resultData.error).toMatchObject({
			message: `The service rejected the values of this item: ${GRACE}`,
			description: expect.stringContaining('Invalid input') as unknown,
		});

		const retried = await world().client.retry(stopped.id);

		expect(retried.status).toBe('success');
		expect(jsonOf(retried)[0]).toHaveLength(PEOPLE.length);
		expect(reached(world().simulator, PEOPLE)).toEqual([1, 1, 1]);
	});

	it('reaches nobody twice with Retry On Fail', async () => {
		const retry: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
		failGrace({ kind: 'status', status: 400 });
		const execution = await runOneNode(world(), PLACE_CALL, PEOPLE, retry);

		expect(execution.status).toBe('success');
		expect(reached(world().simulator, PEOPLE)).toEqual([1, 1, 1]);
	});

	it('does not call again whom it may have called, retried or not', async () => {
		failGrace({ kind: 'resetAfter' });
		const stopped = await runOneNode(world(), PLACE_CALL, PEOPLE, {
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 10,
		});
		const retried = await world().client.retry(stopped.id);

		expect([stopped.status, retried.status]).toEqual(['error', 'error']);
		expect(stopped.data.resultData.error).toMatchObject({
			message: expect.stringContaining(`${GRACE} may have been called`) as unknown,
			description: expect.stringContaining('Do not execute the workflow again.') as unknown,
		});
		expect(reached(world().simulator, PEOPLE)[1]).toBe(1);
	});
});
