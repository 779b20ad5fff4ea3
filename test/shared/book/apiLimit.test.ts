import type { ServiceResponse } from '../../../nodes/shared/answer/answer';
import { ApiLimit } from '../../../nodes/shared/book/apiLimit';
import { steadyNow } from '../../../nodes/shared/time/clock';
import { useFastClock } from '../../engine/fastClock';
import { until } from '../../until';

useFastClock();

const SECOND = 1_000;

/** An n8n that refuses every so manieth request, the first one included. */
function startN8n(every: number, retryAfter = '1') {
	const limit = new ApiLimit();
	const asked: number[] = [];
	let [inFlight, mostInFlight, refused] = [0, 0, 0];
	const answer = async (name: number): Promise<ServiceResponse> => {
		mostInFlight = Math.max(mostInFlight, ++inFlight);
		const isRefused = asked.length % every === 0;
		asked.push(steadyNow());
		await new Promise((resolve) => setTimeout(resolve, 20));
		inFlight--;
		if (isRefused) refused++;
		return isRefused ? { status: 429, body: {}, retryAfter } : { status: 200, body: name };
	};
	return {
		/** When it was asked, in milliseconds since the epoch. */
		asked,
		mostInFlight: () => mostInFlight,
		refused: () => refused,
		pass: async (name: number, latest = Infinity) => await limit.pass(() => answer(name), latest),
	};
}

const NAMES = Array.from({ length: 12 }, (_, name) => name);

test('after a refusal all are taken once each, one after the other', async () => {
	const n8n = startN8n(4);
	const first = n8n.pass(-1);
	await until(() => n8n.refused() === 1);

	const answers = await Promise.all([first, ...NAMES.map((name) => n8n.pass(name))]);

	expect(answers.map(({ body }) => body)).toEqual([-1, ...NAMES]);
	expect(n8n.mostInFlight()).toBe(1);
	expect(n8n.asked).toHaveLength(13 + 5);
});

test.each<[what: string, retryAfter: string, holds: boolean]>([
	['in seconds holds', '500', true],
	['as a date holds', new Date(Date.now() + 3_600 * SECOND).toUTCString(), true],
	['of nothing is a second', '0', false],
	['that cannot be read is a second', 'soon', false],
])('a Retry-After %s', async (_, retryAfter, holds) => {
	const n8n = startN8n(1_000, retryAfter);

	const { status, ...answer } = await n8n.pass(1, steadyNow() + 60 * SECOND);

	expect(status).toBe(holds ? 429 : 200);
	const [first = 0, second = 0] = n8n.asked;
	if (holds) expect(Number(answer.retryAfter)).toBeGreaterThan(60);
	else expect(second - first).toBeGreaterThanOrEqual(SECOND);
});

test('a request that breaks fails alone', async () => {
	const limit = new ApiLimit();
	const broken = limit.pass(() => Promise.reject(new Error('broken')), Infinity);

	await expect(broken).rejects.toThrow('broken');
	const answer = { status: 200, body: 1 };
	expect(await limit.pass(() => Promise.resolve(answer), Infinity)).toEqual(answer);
});
