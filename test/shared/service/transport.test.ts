import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { createTransport, requestDefaults } from '../../../nodes/shared/service/transport';
import { credentialOf, planOf } from '../samples';

const credential = credentialOf() as ICredentialDataDecryptedObject;

/** What the transport makes of what n8n's helper gives. */
async function send(path: string, helper: () => unknown) {
	const context = { helpers: { httpRequestWithAuthentication: helper } };
	const transport = createTransport(context as unknown as IExecuteFunctions, credential);
	return await transport(planOf(path).request);
}

const body = { callId: 'c', status: 'placed' };

test.each<[name: string, raw: unknown]>([
	['nothing', undefined],
	['a text', 'ok'],
	['no status', { body }],
	['a status that is no number', { statusCode: '201', body }],
	['headers that are none', { statusCode: 201, headers: 'none', body }],
])('the request was sent, and %s came back: nobody can say what became of it', async (_, raw) => {
	const answer = await send('call.place', () => Promise.resolve(raw));

	expect(answer).toMatchObject({
		kind: 'failed',
		failure: { kind: 'badResponse', outcome: 'unknown' },
		effect: 'possible',
	});
});

test.each([
	['call.place', false],
	['assistant.getPrompt', true],
])('%s goes out as planned; its timeout ends it, and a cancellation: %s', async (path, isEnded) => {
	const [cancellation, deadline] = [new AbortController(), new AbortController()];
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
	const signals: AbortSignal[] = [];
	const sent: unknown[][] = [];
	function helper(this: IExecuteFunctions, ...given: unknown[]) {
		const signal = this.getExecutionCancelSignal();
		if (signal) signals.push(signal);
		sent.push(given);
	}
	const context = {
		helpers: { httpRequestWithAuthentication: helper },
		getExecutionCancelSignal: () => cancellation.signal,
	} as unknown as IExecuteFunctions;
	const transport = createTransport(context, credential);
	const { request } = planOf(path, { options: { timeout: 50 } });
	await transport(request);
	cancellation.abort();

	const { method, url, body } = request;
	const made = { ...requestDefaults, method, url, timeout: 50, ...(body && { body }) };
	expect(sent).toEqual([['assistantServiceApi', made, expect.anything()]]);
	expect(signals.map(({ aborted }) => aborted)).toEqual([isEnded]);
	deadline.abort();
	expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
	expect(timeout.mock.calls).toEqual([[50]]);
	timeout.mockRestore();
});
