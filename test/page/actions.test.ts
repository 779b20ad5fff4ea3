import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { TO_NUMBER } from '../simulator/seed';
import { changed, clientOf, good } from '../simulator/testClient';
import { usePage } from './page';

const { simulator, act } = usePage();
const send = async (request: ReturnType<typeof good>) => await clientOf(simulator())(request);

const received: { headers: IncomingHttpHeaders; body: unknown }[] = [];
const target = createServer((request, response) => {
	void text(request).then((body) => {
		received.push({ headers: request.headers, body: JSON.parse(body) });
		response.end('{"received": true}');
	});
});
let hook = '';

beforeAll(async () => {
	await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
	const address = target.address();
	if (address === null || typeof address === 'string') throw new Error('No port');
	hook = `http://127.0.0.1:${address.port}/hook`;
});
afterAll(() => target.close());
beforeEach(() => {
	received.length = 0;
});

async function placeCall(): Promise<string> {
	return ((await send(good('placeCall'))).data as { callId: string }).callId;
}
const RESULT = { summary: 'Booked.', transcript: 'Hello', variables: '' };

describe('ending a call', () => {
	it('tells every URL the result, with its secret or without', async () => {
		const id = await placeCall();
		await act('addWebhook', { url: hook, secret: 's3cret', headerName: 'x-own' });
		await act('addWebhook', { url: `${hook}/open`, secret: '', headerName: '' });
		const message = await act('endCall', { id, ...RESULT, variables: 'day: Monday\n\nat : 9:00 ' });

		expect(message).toBe('The call has ended. /hook: 200. Accepted. /hook/open: 200. Accepted.');
		const at: unknown = expect.any(String);
		const event = { callId: id, callStartTime: at, summary: 'Booked.', transcript: 'Hello' };
		const bodies = received.map(({ body }) => body);
		expect(bodies).toEqual([1, 2].map(() => ({ ...event, day: 'Monday', at: '9:00' })));
		const secrets = received.map(({ headers }) => headers['x-own']);
		expect(secrets).toEqual(['s3cret', undefined]);
		expect(JSON.stringify(received[1]?.headers)).not.toContain('s3cret');
	});

	it('works without a URL, and the event can be sent later and again', async () => {
		const id = await placeCall();
		await expect(act('sendAgain', { id })).rejects.toThrow('400: This call has not ended.');
		expect(await act('endCall', { id, ...RESULT })).toContain('was not sent');
		await act('addWebhook', { url: hook, secret: '', headerName: '' });
		await act('sendAgain', { id });
		await act('sendAgain', { id });
		expect(received.map(({ body }) => body)).toMatchObject([{ callId: id }, { callId: id }]);
	});

	it('is refused for a call that has ended, and for variables that are none', async () => {
		const id = await placeCall();
		for (const variables of ['no colon', ': nameless', 'callId: other', 'summary: other']) {
			await expect(act('endCall', { id, ...RESULT, variables })).rejects.toThrow('400: Variables');
		}
		await act('endCall', { id, ...RESULT });
		await expect(act('endCall', { id, ...RESULT })).rejects.toThrow('not going on');
		await expect(act('endCall', { id: 'unknown', ...RESULT })).rejects.toThrow('not going on');
	});
});

it('takes URLs, one entry each, and forgets them', async () => {
	await act('addWebhook', { url: hook, secret: 'one', headerName: '' });
	await act('addWebhook', { url: ` ${hook} `, secret: 'two', headerName: '' });
	expect(simulator().webhooks).toEqual([{ url: hook, headers: { 'x-webhook-secret': 'two' } }]);
	await act('removeWebhook', { id: '0' });
	expect(simulator().webhooks).toEqual([]);
	for (const url of ['', 'localhost:5678', 'file:///etc/passwd', 'http://', 'javascript:1']) {
		const add = act('addWebhook', { url, secret: '', headerName: '' });
		await expect(add).rejects.toThrow('400: URL: enter an address');
	}
});

it('answers as a customer, and closes the window by the clock', async () => {
	const message = changed('continueMsgapp', { toNumber: TO_NUMBER });
	expect((await send(message)).data).toMatchObject({
		msg: expect.stringMatching('not open') as string,
	});
	await act('customerWrites', { toNumber: TO_NUMBER, message: 'Yes' });
	expect((await send(message)).status).toBe(200);
	expect(await act('moveClock', { hours: '24.5' })).toContain('24.5 hours later');
	expect((await send(message)).data).toMatchObject({
		msg: expect.stringMatching('closed') as string,
	});

	await expect(act('customerWrites', { toNumber: 'Ada', message: '' })).rejects.toThrow(
		'400: Number: enter digits, with or without +. Message: enter a text.',
	);
	for (const hours of ['', '-1', '0', 'x', '1e9', 'Infinity']) {
		await expect(act('moveClock', { hours })).rejects.toThrow('400: Hours');
	}
});

describe('faults', () => {
	const first = async (fault: string, seconds = '3', times = '1') => {
		await act('addFault', { fault, seconds, times });
		return await send(good('placeCall')).then(
			({ status, headers }) => ({ status, retryAfter: headers['retry-after'] as unknown }),
			() => 'no answer',
		);
	};

	it.each([
		['tooManyRequests', { status: 429, retryAfter: '3' }, 0],
		['unavailable', { status: 503, retryAfter: '3' }, 0],
		['serverError', { status: 500, retryAfter: undefined }, 0],
		['lostAnswer', 'no answer', 1],
		['lostRequest', 'no answer', 0],
	])('%s', async (fault, answer, acted) => {
		expect(await first(fault)).toEqual(answer);
		expect(simulator().processed()).toHaveLength(acted);
		expect(simulator().faults).toEqual([]);
		expect((await send(good('placeCall'))).status).toBe(201);
	});

	it('slow', async () => {
		const startedAt = performance.now();
		expect(await first('slow', '0.2')).toMatchObject({ status: 201 });
		expect(performance.now() - startedAt).toBeGreaterThanOrEqual(195);
	});

	it('stay until they are switched off if no number is given', async () => {
		await first('serverError', '0', '');
		expect((await send(good('placeCall'))).status).toBe(500);
		await act('removeFault', { id: String(simulator().faults[0]?.id) });
		expect((await send(good('placeCall'))).status).toBe(201);
	});

	it('are refused if they are unknown', async () => {
		await expect(first('fire')).rejects.toThrow('400: ');
		await expect(first('slow', '1000')).rejects.toThrow('400: Seconds');
		await expect(first('slow', '1', '0')).rejects.toThrow('400: ');
		expect(simulator().faults).toEqual([]);
	});
});

it('lets new calls end by themselves, or not', async () => {
	expect(await act('setCallDuration', { seconds: '0.1' })).toContain('after 0.1 seconds');
	await placeCall();
	const endedAt = () => simulator().state().calls[0]?.endedAt;
	while (endedAt() === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
	expect(await act('setCallDuration', { seconds: '' })).toContain('until you end them');
	await placeCall();
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(simulator().state().calls[1]?.endedAt).toBeUndefined();
});

it('starts afresh, and keeps the webhooks', async () => {
	await placeCall();
	await act('addWebhook', { url: hook, secret: '', headerName: '' });
	await act('addFault', { fault: 'serverError', seconds: '0', times: '' });
	await act('moveClock', { hours: '1' });
	await act('reset');
	expect(simulator().state().calls).toEqual([]);
	expect(simulator().requests).toEqual([]);
	expect(simulator().faults).toEqual([]);
	expect(simulator().clock.now() - Date.now()).toBeLessThan(1000);
	expect(simulator().webhooks).toHaveLength(1);
});
