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

const usable = { secret: SECRET, headerName: 'x-webhook-secret' };
type Refused = [what: string, data: object | undefined, message: RegExp];

test.each<Refused>([
	['a short secret', { ...usable, secret: SECRET.slice(0, 15) }, /^The secret is too short/],
	['no secret', { ...usable, secret: '' }, /^The secret is too short/],
	['a secret that is no text', { ...usable, secret: 1234567890123456 }, /^The secret is too short/],
	['white space before', { ...usable, secret: ` ${SECRET}` }, /white space/],
	['white space after', { ...usable, secret: `${SECRET}\n` }, /white space/],
	['a line break', { ...usable, secret: 'abcdefgh\nijklmnop' }, /ASCII/],
	['an umlaut', { ...usable, secret: 'Schlüssel-für-den-Haken' }, /ASCII/],
	['an empty header name', { ...usable, headerName: '' }, /header name/],
	['white space in the header name', { ...usable, headerName: 'x secret' }, /header name/],
	['a colon in the header name', { ...usable, headerName: 'x-secret:' }, /header name/],
	['a header name that is not ASCII', { ...usable, headerName: 'x-sécret' }, /header name/],
	['no header name', { secret: SECRET }, /header name/],
	['a long secret', { ...usable, secret: 'x'.repeat(4097) }, /secret is too long/],
	['a long header name', { ...usable, headerName: 'x'.repeat(100_000) }, /header name/],
	['no data', undefined, /^The secret is too short/],
	[
		'a short previous secret',
		{ ...usable, previousSecret: 'y'.repeat(15) },
		/^The previous .* short/,
	],
	...[1234567890123456, [SECRET], { secret: SECRET }].map((previousSecret): Refused => [
		`a previous secret that is no text (${typeof previousSecret})`,
		{ ...usable, previousSecret },
		/^The previous secret is not a text/,
	]),
])('%s is told', async (_, data, message) => {
	expect(await check(data as ICredentialDataDecryptedObject | undefined)).toEqual({
		status: 'Error',
		message: expect.stringMatching(message) as unknown,
	});
});

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
