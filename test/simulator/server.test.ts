import { untilAsked } from '../engine/recipients';
import { startOtherServer } from '../otherServer';
import { limiterOf } from './rateLimiter';
import { startSimulator } from './simulator';
import { clientOf, good } from './testClient';

it.each([
	['within any second', { requestsPerSecond: 2 }, [0, 300, 400, 999, 1000, 1001, 1300], '0011010'],
	[
		'with a bucket, which fills up evenly',
		{ requestsPerSecond: 2, bucket: 3 },
		[0, 0, 0, 100, 499, 500, 999, 1000, 9000, 9000, 9000, 9000],
		'000110100001',
	],
])('says in whole seconds when it takes requests again: %s', (_, limit, times, waits) => {
	const limiter = limiterOf(limit);
	expect(times.map((now) => limiter.secondsToWait(now)).join('')).toBe(waits);
});

it('stops although an answer hangs, another is late, and a target of the webhook never answers', async () => {
	const silent = await startOtherServer(() => undefined);
	const stopped = await startSimulator();
	stopped.setWebhooks([{ url: silent.baseUrl }]);
	stopped.addFault({ kind: 'hang', times: 1 });
	stopped.addFault({ kind: 'delay', delayMs: 60_000 });
	const answers = [1, 2].map(() => clientOf(stopped)(good('getPrompt')));
	const outcomes = Promise.allSettled(answers);
	const delivery = stopped.deliverWebhook({});
	await untilAsked(stopped, 2);
	while (silent.requests.length === 0) await new Promise(setImmediate);
	await stopped.stop();
	expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(await delivery).toMatchObject([{ status: 0 }]);
	await silent.stop();
});
