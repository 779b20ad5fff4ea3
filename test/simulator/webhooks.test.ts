import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Simulator, SimulatorOptions } from './contract';
import { TO_NUMBER } from './seed';
import { startSimulator } from './simulator';
import { clientOf, good } from './testClient';

const received: { headers: IncomingHttpHeaders; body: unknown }[] = [];
const target = createServer((request, response) => {
	void text(request).then((body) => {
		received.push({ headers: request.headers, body: JSON.parse(body) });
		response.writeHead(202).end('thanks');
	});
});
let targetUrl = '';
/** In milliseconds. A call lasts until what comes next in a test, however busy the machine is. */
const LONGER_THAN_A_STALL = 4_000;
const UNREACHABLE = 'http://127.0.0.1:1/';

beforeAll(async () => {
	await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
	const address = target.address();
	if (address === null || typeof address === 'string') throw new Error('No port');
	targetUrl = `http://127.0.0.1:${address.port}/hook`;
});
afterAll(() => target.close());

let simulator: Simulator | undefined;
beforeEach(() => {
	received.length = 0;
});
afterEach(() => simulator?.stop());

async function start(options: SimulatorOptions) {
	simulator = await startSimulator(options);
	const send = clientOf(simulator);
	const placeCall = async () => {
		const { data } = await send(good('placeCall'));
		return (data as { callId: string }).callId;
	};
	return { simulator, placeCall };
}

async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

it('sends the call properties and extracted variables to every target', async () => {
	const { simulator, placeCall } = await start({
		webhooks: [{ url: targetUrl, headers: { 'x-webhook-secret': 'secret' } }, { url: UNREACHABLE }],
	});
	const before = simulator.clock.now();
	const callId = await placeCall();
	simulator.clock.advance(60_000);

	const deliveries = await simulator.endCall(callId, { appointment: 'Monday' });

	const body = {
		callId,
		summary: expect.stringContaining(TO_NUMBER) as string,
		transcript: expect.any(String) as string,
		callStartTime: expect.any(String) as string,
		appointment: 'Monday',
	};
	expect(deliveries).toEqual([
		{ url: targetUrl, status: 202, answer: 'thanks', body },
		{ url: UNREACHABLE, status: 0, answer: '', body },
	]);
	expect(simulator.deliveries).toEqual(deliveries);
	expect(received).toHaveLength(1);
	expect(received[0]).toMatchObject({
		headers: { 'x-webhook-secret': 'secret', 'content-type': 'application/json' },
		body,
	});
	const { callStartTime } = received[0]?.body as { callStartTime: string };
	expect(Date.parse(callStartTime) - before).toBeLessThan(30_000);
});

it('sends a body again, to the targets of the moment', async () => {
	const { simulator } = await start({});
	expect(await simulator.deliverWebhook({ any: 1 })).toEqual([]);
	simulator.setWebhooks([{ url: targetUrl }]);
	await simulator.deliverWebhook({ any: 1 });
	await simulator.deliverWebhook([2]);
	expect(received.map(({ body }) => body)).toEqual([{ any: 1 }, [2]]);
	simulator.reset();
	expect(simulator.deliveries).toEqual([]);
});

it('ends calls by itself after their duration, queued ones too', async () => {
	const { simulator, placeCall } = await start({
		callDurationMs: 20,
		concurrentCallLimit: 1,
		webhooks: [{ url: targetUrl }],
	});
	const callIds = [await placeCall(), await placeCall()];
	await until(() => simulator.deliveries.length === 2);
	expect(received.map(({ body }) => (body as { callId: string }).callId)).toEqual(callIds);
});

it('sends one webhook for a call that is ended before its duration is over', async () => {
	const { simulator, placeCall } = await start({
		callDurationMs: LONGER_THAN_A_STALL,
		webhooks: [{ url: targetUrl }],
	});
	await simulator.endCall(await placeCall());
	await placeCall();
	await until(() => simulator.deliveries.length === 2);
	expect(received).toHaveLength(2);
});

it('forgets the calls of before a reset', async () => {
	const { simulator, placeCall } = await start({
		callDurationMs: LONGER_THAN_A_STALL,
		webhooks: [{ url: targetUrl }],
	});
	const forgotten = await placeCall();
	simulator.reset();
	const callId = await placeCall();
	await until(() => simulator.deliveries.length > 0);
	expect(received.map(({ body }) => (body as { callId: string }).callId)).toEqual([callId]);
	expect(forgotten).not.toBe(callId);
});

it('stops although a target never answers', async () => {
	const silent = createServer(() => undefined);
	await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
	const address = silent.address();
	if (address === null || typeof address === 'string') throw new Error('No port');
	const { simulator } = await start({ webhooks: [{ url: `http://127.0.0.1:${address.port}` }] });

	const delivery = simulator.deliverWebhook({});
	await new Promise((resolve) => silent.once('request', resolve));
	await simulator.stop();

	expect(await delivery).toMatchObject([{ status: 0 }]);
	await new Promise((resolve) => silent.close(resolve));
});
