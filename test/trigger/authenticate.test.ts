import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { useTriggers } from '../engine/webhook';

const SECRET = 'correct horse battery staple';
const HEADER = 'x-webhook-secret';

const start = useTriggers();

afterEach(() => {
	jest.restoreAllMocks();
});

/** Posts with a secret, and gives the status of the answer. */
async function open(credential: ICredentialDataDecryptedObject) {
	const trigger = await start({ credential });
	return async (secret: string) =>
		(await trigger.post({ summary: 'Booked.' }, { headers: { [HEADER]: secret } })).status;
}

test('a changed secret counts at once, and the old one for 5 seconds', async () => {
	const credential = { secret: SECRET, headerName: HEADER };
	const statusOf = await open(credential);

	expect(await statusOf(SECRET)).toBe(200);
	credential.secret = 'another horse';
	expect(await statusOf(SECRET)).toBe(200);
	expect(await statusOf('another horse')).toBe(200);
	expect(await statusOf(SECRET)).toBe(401);

	credential.secret = SECRET;
	expect(await statusOf(SECRET)).toBe(200);
	credential.secret = 'another horse';
	const later = Date.now() + 5_000;
	jest.spyOn(Date, 'now').mockImplementation(() => later);
	expect(await statusOf(SECRET)).toBe(401);
});

test('the secret of one trigger is not known to another', async () => {
	const statusOf = await open({ secret: SECRET, headerName: HEADER });
	const statusOfOther = await open({ secret: 'another horse', headerName: HEADER });

	expect(await statusOf(SECRET)).toBe(200);
	expect(await statusOfOther(SECRET)).toBe(401);
	expect(await statusOfOther('another horse')).toBe(200);
	expect(await statusOf('another horse')).toBe(401);
});

test('an authentication that cannot be read lets nobody in', async () => {
	const trigger = await start({
		parameters: { authentication: '={{ $("Nobody").item.json.a }}' },
		credential: { secret: SECRET, headerName: HEADER },
	});

	expect((await trigger.post({ summary: 'Booked.' })).status).toBe(401);
	expect(trigger.executions).toEqual([]);
});
