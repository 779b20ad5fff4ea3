import { AxiosError } from 'axios';
import { untilAsked } from '../engine/recipients';
import type { Fault } from './contract';
import { hold } from './hold';
import { good, useService } from './testClient';

const { simulator, send } = useService();

/** Places a call: the answer or the client's error code. */
async function place(signal?: AbortSignal) {
	try {
		const { status, data, headers } = await send({ ...good('placeCall'), signal });
		return { status, data, headers };
	} catch (error) {
		if (!(error instanceof AxiosError)) throw error;
		return { code: error.code };
	}
}

const containing = (text: string): unknown => expect.stringContaining(text);
const DATE = 'Fri, 01 Jan 2038 00:00:00 GMT';
const TEA = { 'Content-Type': 'text/plain', 'X-Tea': 'green' };

it.each<[fault: Fault, answer: object, processed: boolean]>([
	[{ kind: 'resetBefore' }, { code: 'ECONNRESET' }, false],
	[{ kind: 'resetAfter' }, { code: 'ECONNRESET' }, true],
	[{ kind: 'truncate' }, { code: 'ERR_BAD_RESPONSE' }, true],
	[{ kind: 'brokenJson' }, { status: 201, data: containing('{"msg"') }, true],
	[
		{ kind: 'html', status: 502, process: false },
		{ status: 502, data: containing('<html>'), headers: { 'content-type': containing('html') } },
		false,
	],
	[{ kind: 'empty', status: 200 }, { status: 200, data: '' }, true],
	[
		{ kind: 'respond', status: 418, headers: TEA, body: 'teapot' },
		{ status: 418, data: 'teapot', headers: { 'content-type': 'text/plain', 'x-tea': 'green' } },
		true,
	],
	[{ kind: 'respond', body: [null] }, { status: 201, data: [null] }, true],
	[{ kind: 'redirect', location: '/x' }, { status: 302, headers: { location: '/x' } }, false],
	[{ kind: 'delay', delayMs: 5 }, { status: 201, data: { status: 'placed' } }, true],
	[{ kind: 'status', status: 500 }, { status: 500, data: { msg: 'Server error' } }, false],
	[
		{ kind: 'status', status: 503, body: { any: 1 }, retryAfter: '7', process: true },
		{ status: 503, data: { any: 1 }, headers: { 'retry-after': '7' } },
		true,
	],
	[
		{ kind: 'rateLimited', retryAfter: DATE },
		{ status: 429, headers: { 'retry-after': DATE } },
		false,
	],
])('%j answers %j, acted on: %p', async (fault, answer, processed) => {
	simulator().addFault(fault);
	const got = await place();
	expect(got).toMatchObject(answer);
	expect(simulator().requests).toMatchObject([{ processed, status: got.status }]);
});

it('hang never answers', async () => {
	simulator().addFault({ kind: 'hang', times: 1 });
	const givesUp = new AbortController();
	const outcome = place(givesUp.signal);
	await untilAsked(simulator(), 1);
	await place();
	givesUp.abort();
	expect(await outcome).toEqual({ code: 'ERR_CANCELED' });
	expect(simulator().requests[0]).toMatchObject({ processed: true, status: undefined });
});

it('delay answers not before something has happened, or not before its time', async () => {
	const { until, release } = hold();
	simulator().addFault({ kind: 'delay', until, times: 1 });
	const first = place();
	await untilAsked(simulator(), 1);
	await place();
	expect(simulator().requests.map(({ status }) => status)).toEqual([undefined, 201]);
	release();
	expect((await first).status).toBe(201);
	simulator().addFault({ kind: 'delay', delayMs: 60 });
	const startedAt = performance.now();
	await place();
	expect(performance.now() - startedAt).toBeGreaterThanOrEqual(58);
});

it('a fault hits so many requests, then the next one does, until it is taken away', async () => {
	simulator().addFault({ kind: 'status', status: 500, times: 2 });
	simulator().addFault({ kind: 'status', status: 503 });
	const statuses = [];
	for (let count = 0; count < 3; count += 1) statuses.push((await place()).status);
	expect(statuses).toEqual([500, 500, 503]);
	const [left] = simulator().faults;
	expect(left).toMatchObject({ fault: { status: 503 }, left: Infinity });
	simulator().removeFault(left?.id ?? 0);
	expect(simulator().faults).toEqual([]);
	expect((await place()).status).toBe(201);
	simulator().addFault({ kind: 'status' });
	simulator().reset();
	expect((await place()).status).toBe(201);
});
