import { AxiosError, type AxiosResponse } from 'axios';
import { untilAsked } from '../engine/recipients';
import type { Fault } from './contract';
import { startSimulator } from './simulator';
import { hold } from './hold';
import { changed, clientOf, good, useService } from './testClient';

const { simulator, send } = useService();

function codeOf(error: unknown): string | undefined {
	if (!(error instanceof AxiosError)) throw error;
	return error.code;
}

/** Places a call under a fault: the answer or the client's error code, and what the simulator recorded. */
async function placeUnder(fault: Fault) {
	simulator().addFault(fault);
	let response: AxiosResponse<unknown> | undefined;
	let code: string | undefined;
	try {
		response = await send(good('placeCall'));
	} catch (error) {
		code = codeOf(error);
	}
	return { response, code, request: simulator().requests[0] };
}

describe('a cut connection', () => {
	it.each([
		['resetBefore', false],
		['resetAfter', true],
	] as const)('%s: processed %p', async (kind, processed) => {
		const { code, request } = await placeUnder({ kind });
		expect(code).toBe('ECONNRESET');
		expect(request).toMatchObject({ processed, status: undefined });
	});

	it('hang: never answers', async () => {
		simulator().addFault({ kind: 'hang', times: 1 });
		const givesUp = new AbortController();
		const outcome = send({ ...good('placeCall'), signal: givesUp.signal }).catch(codeOf);
		await untilAsked(simulator(), 1);
		await send(good('placeCall'));
		givesUp.abort();
		expect(await outcome).toBe('ERR_CANCELED');
		expect(simulator().requests[0]).toMatchObject({ processed: true, status: undefined });
	});

	it('truncate: cuts the body short', async () => {
		const { response, code, request } = await placeUnder({ kind: 'truncate' });
		expect(response).toBeUndefined();
		expect(code).toBe('ERR_BAD_RESPONSE');
		expect(request).toMatchObject({ processed: true, status: undefined });
	});
});

describe('a spoiled answer', () => {
	it('brokenJson: half of the JSON', async () => {
		const { response, request } = await placeUnder({ kind: 'brokenJson' });
		expect(response?.status).toBe(201);
		expect(response?.data).toMatch(/^\{"msg"/);
		expect(() => JSON.parse(String(response?.data)) as unknown).toThrow();
		expect(request?.processed).toBe(true);
	});

	it('html: a page instead of JSON', async () => {
		const { response, request } = await placeUnder({ kind: 'html', status: 502, process: false });
		expect(response?.status).toBe(502);
		expect(response?.headers['content-type']).toContain('text/html');
		expect(response?.data).toContain('<html>');
		expect(request).toMatchObject({ processed: false, status: 502 });
	});

	it('empty: no body', async () => {
		const { response, request } = await placeUnder({ kind: 'empty', status: 200 });
		expect(response?.status).toBe(200);
		expect(response?.data).toBe('');
		expect(request?.processed).toBe(true);
	});

	it('respond: any answer', async () => {
		const { response, request } = await placeUnder({
			kind: 'respond',
			status: 418,
			headers: { 'Content-Type': 'text/plain', 'X-Tea': 'green' },
			body: 'teapot',
		});
		expect(response?.status).toBe(418);
		expect(response?.data).toBe('teapot');
		expect(response?.headers).toMatchObject({ 'content-type': 'text/plain', 'x-tea': 'green' });
		expect(request).toMatchObject({ processed: true, status: 418 });
	});

	it('respond: JSON of any shape', async () => {
		const { response } = await placeUnder({ kind: 'respond', body: [null] });
		expect(response).toMatchObject({ status: 201, data: [null] });
	});

	it('redirect: elsewhere', async () => {
		const { response, request } = await placeUnder({
			kind: 'redirect',
			location: 'http://127.0.0.1:1/',
		});
		expect(response?.status).toBe(302);
		expect(response?.headers.location).toBe('http://127.0.0.1:1/');
		expect(request?.processed).toBe(false);
	});

	it('delay: not before something has happened', async () => {
		const { until, release } = hold();
		simulator().addFault({ kind: 'delay', until, times: 1 });
		const first = send(good('placeCall'));
		await untilAsked(simulator(), 1);
		await send(good('placeCall'));
		expect(simulator().requests.map(({ status }) => status)).toEqual([undefined, 201]);
		release();
		expect((await first).status).toBe(201);
	});

	it('delay: late, but true', async () => {
		const startedAt = performance.now();
		const { response, request } = await placeUnder({ kind: 'delay', delayMs: 60 });
		expect(performance.now() - startedAt).toBeGreaterThanOrEqual(58);
		expect(response).toMatchObject({ status: 201, data: { status: 'placed' } });
		expect(request?.processed).toBe(true);
	});
});

describe('an error status', () => {
	it('status: the error body of the endpoint, not processed', async () => {
		const { response, request } = await placeUnder({ kind: 'status', status: 500 });
		expect(response).toMatchObject({ status: 500, data: { msg: 'Server error' } });
		expect(request).toMatchObject({ processed: false, status: 500 });
	});

	it('status: with a body of its own, processed on demand', async () => {
		const { response, request } = await placeUnder({
			kind: 'status',
			status: 503,
			body: { any: 1 },
			retryAfter: '7',
			process: true,
		});
		expect(response).toMatchObject({ status: 503, data: { any: 1 } });
		expect(response?.headers['retry-after']).toBe('7');
		expect(request?.processed).toBe(true);
	});

	it('rateLimited: 429 with Retry-After', async () => {
		const retryAfter = 'Fri, 01 Jan 2038 00:00:00 GMT';
		const { response, request } = await placeUnder({ kind: 'rateLimited', retryAfter });
		expect(response?.status).toBe(429);
		expect(response?.headers['retry-after']).toBe(retryAfter);
		expect(request?.processed).toBe(false);
	});
});

describe('which requests a fault hits', () => {
	const statusOf = async (toNumber: string) => {
		return (await send(changed('placeCall', { toNumber }))).status;
	};

	it('so many times, then the next fault, then none', async () => {
		simulator().addFault({ kind: 'status', status: 500, times: 2 });
		simulator().addFault({ kind: 'status', status: 503, times: 1 });
		const statuses = [];
		for (let count = 0; count < 4; count += 1) statuses.push(await statusOf('+4915100000000'));
		expect(statuses).toEqual([500, 500, 503, 201]);
	});

	it('those of an endpoint and of a condition', async () => {
		simulator().addFault({ kind: 'status', endpoint: 'startSms' });
		simulator().addFault({
			kind: 'status',
			status: 503,
			when: ({ rawBody }) => rawBody.includes('+4915100000002'),
		});
		expect(await statusOf('+4915100000001')).toBe(201);
		expect(await statusOf('+4915100000002')).toBe(503);
		expect((await send(good('startSms'))).status).toBe(500);
	});

	it('none after a reset', async () => {
		simulator().addFault({ kind: 'status' });
		simulator().reset();
		expect(await statusOf('+4915100000001')).toBe(201);
	});
});

it('stops although an answer hangs and another is late', async () => {
	const stopped = await startSimulator();
	stopped.addFault({ kind: 'hang', times: 1 });
	stopped.addFault({ kind: 'delay', delayMs: 60_000 });
	const answers = [1, 2].map(() => clientOf(stopped)(good('getPrompt')));
	const outcomes = Promise.allSettled(answers);
	while (stopped.requests.length < 2) await new Promise(setImmediate);
	await stopped.stop();
	expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
