import type { ICredentialDataDecryptedObject, ICredentialTestFunctions } from 'n8n-workflow';

import { testWebhookSecret } from '../../nodes/AssistantServiceTrigger/credentialTest';

const SECRET = 'correct-horse-battery-staple';

/** The test uses nothing of n8n. */
const context = {} as ICredentialTestFunctions;

const check = async (data: ICredentialDataDecryptedObject | undefined) =>
	await testWebhookSecret.call(context, {
		id: '1',
		name: 'Webhook',
		type: 'assistantServiceWebhookApi',
		...(data && { data }),
	});

test.each([
	[SECRET, 'x-webhook-secret'],
	[SECRET.slice(0, 16), 'X_Secret.1'],
	['correct horse, battery & staple', 'x-webhook-secret'],
	['x'.repeat(4096), 'x-webhook-secret'],
])('%.40s in %s can be used', async (secret, headerName) => {
	expect(await check({ secret, headerName })).toMatchObject({ status: 'OK' });
});

test.each([
	[
		'a short secret',
		{ secret: SECRET.slice(0, 15), headerName: 'x-secret' },
		/secret is too short/,
	],
	['no secret', { secret: '', headerName: 'x-secret' }, /secret is too short/],
	[
		'a secret that is no text',
		{ secret: 1234567890123456, headerName: 'x-secret' },
		/secret is too short/,
	],
	['white space before', { secret: ` ${SECRET}`, headerName: 'x-secret' }, /white space/],
	['white space after', { secret: `${SECRET}\n`, headerName: 'x-secret' }, /white space/],
	['a line break', { secret: 'abcdefgh\nijklmnop', headerName: 'x-secret' }, /ASCII/],
	['an umlaut', { secret: 'Schlüssel-für-den-Haken', headerName: 'x-secret' }, /ASCII/],
	['an empty header name', { secret: SECRET, headerName: '' }, /header name/],
	['white space in the header name', { secret: SECRET, headerName: 'x secret' }, /header name/],
	['a colon in the header name', { secret: SECRET, headerName: 'x-secret:' }, /header name/],
	['a header name that is not ASCII', { secret: SECRET, headerName: 'x-sécret' }, /header name/],
	['no header name', { secret: SECRET }, /header name/],
	['a long secret', { secret: 'x'.repeat(4097), headerName: 'x-secret' }, /secret is too long/],
	['a long header name', { secret: SECRET, headerName: 'x'.repeat(100_000) }, /header name/],
	['no data', undefined, /secret is too short/],
])('%s is told', async (_, data, message) => {
	expect(await check(data as ICredentialDataDecryptedObject | undefined)).toEqual({
		status: 'Error',
		message: expect.stringMatching(message) as unknown,
	});
});

const usable = { secret: SECRET, headerName: 'x-webhook-secret' };

test.each([[undefined], [null], [''], [' \t']])(
	'without a previous secret (%j), nothing is said of one',
	async (previousSecret) => {
		const data = { ...usable, previousSecret } as ICredentialDataDecryptedObject;

		const { status, message } = await check(data);

		expect(status).toBe('OK');
		expect(message).not.toMatch(/previous/i);
	},
);

test('of a usable previous secret, the test says that it is accepted, too', async () => {
	expect(await check({ ...usable, previousSecret: 'y'.repeat(16) })).toEqual({
		status: 'OK',
		message: expect.stringMatching(/Clear Previous Secret/) as unknown,
	});
});

test.each([
	['short', 'y'.repeat(15), /^The previous secret is too short/],
	['a number', 1234567890123456, /^The previous secret is not a text/],
	['a list', [SECRET], /^The previous secret is not a text/],
	['an object', { secret: SECRET }, /^The previous secret is not a text/],
])('a previous secret that is unusable is told: %s', async (_, previousSecret, message) => {
	const data = { ...usable, previousSecret } as ICredentialDataDecryptedObject;

	expect(await check(data)).toEqual({
		status: 'Error',
		message: expect.stringMatching(message) as unknown,
	});
});
