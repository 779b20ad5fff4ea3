import { Pace } from '../../../nodes/shared/delivery/pace';
import { giveWay } from '../../../nodes/shared/delivery/wait';

// What is made beside the event loop does not go by the clock of these tests; see wait.test.ts.
jest.mock('../../../nodes/shared/delivery/wait', () => ({
	...jest.requireActual<object>('../../../nodes/shared/delivery/wait'),
	giveWay: jest.fn(),
}));

beforeEach(() => {
	jest.useFakeTimers();
	jest.mocked(giveWay).mockReset();
});
afterEach(() => {
	jest.useRealTimers();
});

const pass = async (milliseconds: number): Promise<void> => {
	await jest.advanceTimersByTimeAsync(milliseconds);
};

/** Items that come one after the other and stay in flight until they are answered. */
class Crowd {
	inFlight = 0;

	constructor(
		private readonly pace: Pace,
		items: number,
	) {
		void this.letIn(items);
	}

	private async letIn(items: number): Promise<void> {
		for (let item = 0; item < items; item++) {
			await this.pace.enter();
			this.inFlight++;
		}
	}

	leave(): void {
		this.inFlight--;
		this.pace.leave();
	}

	/** Each of those in flight gets a clean answer. */
	async answerAll(): Promise<void> {
		for (let count = this.inFlight; count > 0; count--) {
			this.pace.speedUp();
			this.leave();
		}
		await pass(0);
	}

	async leaveAll(): Promise<void> {
		while (this.inFlight > 0) this.leave();
		await pass(0);
	}
}

async function crowdOf(pace: Pace): Promise<Crowd> {
	const crowd = new Crowd(pace, 5_000);
	await pass(0);
	return crowd;
}

describe('how many are in flight', () => {
	test('starts at 10 and doubles after each clean round, up to the maximum', async () => {
		const crowd = await crowdOf(new Pace(70, 0));
		const limits = [crowd.inFlight];

		for (let round = 0; round < 5; round++) {
			await crowd.answerAll();
			limits.push(crowd.inFlight);
		}

		expect(limits).toEqual([10, 20, 40, 70, 70, 70]);
	});

	test('never exceeds a small maximum', async () => {
		const crowd = await crowdOf(new Pace(3, 0));
		await crowd.answerAll();
		expect(crowd.inFlight).toBe(3);
	});

	test('one more enters when one leaves', async () => {
		const crowd = await crowdOf(new Pace(50, 0));

		crowd.leave();
		expect(crowd.inFlight).toBe(9);
		await pass(0);
		expect(crowd.inFlight).toBe(10);
	});

	test('halves once for what was in flight together, and again for what came later', async () => {
		const pace = new Pace(50, 0);
		const crowd = await crowdOf(pace);
		const together = Date.now();
		await pass(100);
		for (let request = 0; request < 10; request++) pace.slowDown(together, 0);
		const later = Date.now();
		await crowd.leaveAll();
		expect(crowd.inFlight).toBe(5);

		await pass(100);
		pace.slowDown(later, 0);
		await crowd.leaveAll();
		expect(crowd.inFlight).toBe(2);
	});

	test('never falls below one', async () => {
		const pace = new Pace(50, 0);
		const crowd = await crowdOf(pace);
		for (let time = 0; time < 8; time++) {
			await pass(10);
			pace.slowDown(Date.now(), 0);
		}

		await crowd.leaveAll();

		expect(crowd.inFlight).toBe(1);
	});

	test('a round counts from the start again after the service asked for fewer', async () => {
		const pace = new Pace(50, 0);
		const crowd = await crowdOf(pace);
		for (let answer = 0; answer < 9; answer++) pace.speedUp();
		pace.slowDown(Date.now(), 0);
		for (let answer = 0; answer < 4; answer++) pace.speedUp();
		await crowd.leaveAll();
		expect(crowd.inFlight).toBe(5);

		pace.speedUp();
		await crowd.leaveAll();
		expect(crowd.inFlight).toBe(10);
	});
});

/** Asks for so many starts and records when they are granted, in milliseconds from now, in their order. */
function startMany(pace: Pace, count: number): { times: number[]; order: number[] } {
	const begin = Date.now();
	const times: number[] = [];
	const order: number[] = [];
	for (let index = 0; index < count; index++) {
		void pace.start().then(() => {
			times.push(Date.now() - begin);
			order.push(index);
		});
	}
	return { times, order };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('when the next one starts', () => {
	test('at once, in the order of the callers', async () => {
		const { order } = startMany(new Pace(50, 0), 100);

		await pass(50);

		expect(order).toEqual(upTo(100));
	});

	test.each([
		[1, [0, 1000, 2000, 3000]],
		[5, [0, 200, 400, 600]],
		[1000, [0, 1, 2, 3]],
	])('at %i per second they are spread evenly', async (perSecond, expected) => {
		const { times, order } = startMany(new Pace(50, perSecond), 4);

		await pass(5_000);

		expect(times).toEqual(expected);
		expect(order).toEqual(upTo(4));
	});

	test('no time is saved up for a burst', async () => {
		const pace = new Pace(50, 2);
		startMany(pace, 1);
		await pass(60_000);

		const { times } = startMany(pace, 4);
		await pass(1_400);

		expect(times).toEqual([0, 500, 1_000]);
	});

	test('not before the service asked to come back', async () => {
		const pace = new Pace(50, 0);
		pace.slowDown(Date.now(), 3_000);
		pace.slowDown(Date.now(), 1_000);
		const { times, order } = startMany(pace, 5);

		await pass(2_999);
		expect(times).toEqual([]);
		await pass(1);

		expect(times).toEqual(upTo(5).map(() => 3_000));
		expect(order).toEqual(upTo(5));
	});

	test('a later request to come back holds who waits already', async () => {
		const pace = new Pace(50, 0);
		pace.slowDown(Date.now(), 1_000);
		const { times } = startMany(pace, 2);
		await pass(500);
		pace.slowDown(Date.now(), 2_000);

		await pass(2_000);

		expect(times).toEqual([2_500, 2_500]);
	});

	test('other work gets its turn between the starts', async () => {
		startMany(new Pace(50, 0), 100);
		await pass(50);
		expect(jest.mocked(giveWay).mock.calls.length).toBeGreaterThanOrEqual(10);
	});
});

describe('what a refusal teaches', () => {
	/** A run that got 5 good answers in the last second, and is then refused. */
	async function refusedAfterFive(): Promise<Pace> {
		const pace = new Pace(50, 0);
		for (let answer = 0; answer < 20; answer++) pace.speedUp();
		await pass(2_000);
		for (let answer = 0; answer < 5; answer++) pace.speedUp();
		pace.slowDown(Date.now(), 0);
		return pace;
	}

	/** n8n does something else for so long, so that every timer rings late. */
	const freeze = (milliseconds: number): void => {
		jest.setSystemTime(Date.now() + milliseconds);
	};

	test('a twentieth fewer start in a second than were answered in the one before it', async () => {
		const { times } = startMany(await refusedAfterFive(), 4);
		await pass(1_000);
		expect(times).toEqual([0, 211, 422, 632]);
	});

	test('a timer that rings late does not slow what follows', async () => {
		const { times } = startMany(await refusedAfterFive(), 4);
		await pass(200);
		freeze(100);
		await pass(500);
		expect(times).toEqual([0, 310, 422, 632]);
	});

	test('after a long freeze a single start is made up for', async () => {
		const { times } = startMany(await refusedAfterFive(), 4);
		await pass(200);
		freeze(10_000);
		await pass(500);
		expect(times).toEqual([0, 10_210, 10_210, 10_421]);
	});

	test('a late timer is no reason to exceed what the user allows', async () => {
		const { times } = startMany(new Pace(50, 5), 3);
		await pass(190);
		freeze(100);
		await pass(500);
		expect(times).toEqual([0, 300, 500]);
	});

	test('a refusal without an answer before it halves the rate', async () => {
		const pace = await refusedAfterFive();
		await pass(2_000);
		pace.slowDown(Date.now(), 0);

		const { times } = startMany(pace, 3);
		await pass(1_000);

		expect(times).toEqual([0, 422, 843]);
	});

	test('one that comes before any answer teaches nothing', async () => {
		const pace = new Pace(50, 0);
		pace.slowDown(Date.now(), 0);
		const { times } = startMany(pace, 3);
		await pass(10);
		expect(times).toEqual([0, 0, 0]);
	});

	test('after 20 seconds of good answers the rate is a quarter higher', async () => {
		const pace = await refusedAfterFive();
		for (let answer = 0; answer <= 100; answer++) pace.speedUp();

		const { times } = startMany(pace, 3);
		await pass(1_000);

		expect(times).toEqual([0, 169, 337]);
	});

	test('it never rises above what the user allows', async () => {
		const pace = new Pace(50, 5);
		for (let answer = 0; answer < 4; answer++) pace.speedUp();
		pace.slowDown(Date.now(), 0);
		for (let answer = 0; answer < 500; answer++) pace.speedUp();

		const { times } = startMany(pace, 3);
		await pass(1_000);

		expect(times).toEqual([0, 200, 400]);
	});
});

describe('a cancelled execution', () => {
	test('waits for no start any more', async () => {
		const controller = new AbortController();
		const pace = new Pace(50, 1, controller.signal);
		pace.slowDown(Date.now(), 60_000);
		const { times } = startMany(pace, 5);
		await pass(10);

		controller.abort();
		await pass(10);

		expect(times).toHaveLength(5);
		expect(jest.getTimerCount()).toBeLessThanOrEqual(1);
	});

	test('waits for no place any more', async () => {
		const controller = new AbortController();
		const pace = new Pace(1, 0, controller.signal);
		const crowd = new Crowd(pace, 3);
		await pass(0);
		expect(crowd.inFlight).toBe(1);

		controller.abort();
		await pass(0);

		expect(crowd.inFlight).toBe(3);
	});
});
