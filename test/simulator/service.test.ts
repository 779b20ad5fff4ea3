import type { EndpointName } from './endpoints';
import { KNOWN_USER, TO_NUMBER } from './seed';
import { changed, elsewhere, good, type ClientRequest, useService } from './testClient';

const STRANGER = '99999999-9999-4999-8999-999999999999';

const { simulator, send } = useService();

/** Sends, and gives what a test compares. */
async function exchange(request: ClientRequest): Promise<{ status: number; body: unknown }> {
	const { status, data } = await send(request);
	return { status, body: data };
}

describe('assistants', () => {
	it('reads back the prompt and tells the lock', async () => {
		const before = await exchange(good('getPrompt'));
		expect(await exchange(good('updatePrompt'))).toEqual({
			status: 200,
			body: { prompt: 'Be brief.' },
		});
		expect(await exchange(good('getPrompt'))).not.toEqual(before);
		expect((await exchange(good('getPrompt'))).body).toEqual({ prompt: 'Be brief.' });
		expect((await exchange(changed('setLock', { locked: false }))).body).toEqual({
			success: true,
			assistant: { id: simulator().assistantId, locked: false },
		});
		simulator().reset();
		expect(await exchange(good('getPrompt'))).toEqual(before);
	});

	it.each(['setLock', 'updatePrompt', 'getPrompt'] as const)('%s names bad ids', async (name) => {
		const { assistantId } = simulator();
		expect(await exchange(elsewhere(good(name), assistantId, 'x'))).toEqual({
			status: 400,
			body: { error: 'Invalid workspace or assistant ID' },
		});
		expect(await exchange(elsewhere(good(name), assistantId, STRANGER))).toEqual({
			status: 404,
			body: { error: 'Assistant not found' },
		});
	});

	it.each(['placeCall', 'startMsgapp', 'continueMsgapp', 'sendMsgappTemplate'] as const)(
		'%s refuses an unknown assistant',
		async (name) => {
			const { assistantId } = simulator();
			const { status } = await send(elsewhere(good(name), assistantId, STRANGER));
			expect(status).toBe(400);
		},
	);
});

describe('knowledge base', () => {
	interface KnowledgeBase {
		knowledgeBase: { label: string; paragraphs: { key: string; value: { data: string } }[] };
	}
	const read = async () => {
		const { data } = await send(good('getKnowledgeBase'));
		return (data as KnowledgeBase).knowledgeBase;
	};

	it('adds, lists and deletes paragraphs', async () => {
		const before = await read();
		expect(before.paragraphs.length).toBeGreaterThan(1);

		await send(
			changed('addParagraphs', {
				paragraphs: [{ value: { data: 'One.' } }, { value: { data: 'Two.' } }],
			}),
		);
		const after = await read();
		expect(after.paragraphs.map(({ value }) => value.data)).toEqual([
			...before.paragraphs.map(({ value }) => value.data),
			'One.',
			'Two.',
		]);

		const { path } = good('deleteParagraph');
		for (const { key } of before.paragraphs) {
			const request = { method: 'DELETE', path: path.replace('parking', key) };
			expect((await send(request)).status).toBe(200);
			expect((await send(request)).status).toBe(404);
		}
		expect((await read()).paragraphs.map(({ value }) => value.data)).toEqual(['One.', 'Two.']);
	});

	it('refuses empty and malformed paragraphs', async () => {
		for (const paragraphs of [[], ['text'], [{ data: 'x' }], [{ value: { data: '' } }]]) {
			expect((await send(changed('addParagraphs', { paragraphs }))).status).toBe(400);
		}
	});

	it('tells an unknown knowledge base', async () => {
		const unknown = (name: EndpointName) =>
			exchange(elsewhere(good(name), simulator().knowledgeBaseId, STRANGER));
		expect(await unknown('getKnowledgeBase')).toEqual({
			status: 400,
			body: { msg: 'Bad request' },
		});
		expect(await unknown('deleteParagraph')).toEqual({
			status: 404,
			body: { msg: 'Knowledge base does not exist' },
		});
		expect((await unknown('addParagraphs')).status).toBe(400);
	});
});

describe('calls and campaigns', () => {
	it.each([0, 1, 2])('a call has priority %i', async (priority) => {
		expect((await send(changed('placeCall', { priority }))).status).toBe(201);
	});

	it.each([3, -1, 0.5, '1'])('a call does not have priority %p', async (priority) => {
		const { status, body } = await exchange(changed('placeCall', { priority }));
		expect(status).toBe(400);
		expect(body).toMatchObject({ msg: expect.stringContaining('Invalid input') as string });
	});

	it.each(['createCampaign', 'createBulkCampaign'] as const)(
		'%s requires the content of its type',
		async (name) => {
			const status = async (fields: Record<string, unknown>) =>
				(await send(changed(name, fields))).status;
			const msgapp = { campaignType: 'msgapp', templateName: 'appointment_reminder' };

			expect(await status({ campaignType: 'sms' })).toBe(400);
			expect(await status({ campaignType: 'sms', message: 'Hello' })).toBe(200);
			expect(await status(msgapp)).toBe(400);
			expect(await status({ ...msgapp, templateLanguage: 'fr' })).toBe(400);
			expect(await status({ ...msgapp, templateLanguage: 'de' })).toBe(200);
			expect(await status({ campaignType: 'fax' })).toBe(400);
			expect(await status({ triggerType: 'later' })).toBe(400);
		},
	);

	it('a single campaign repeats the status of a refusal in its body and allows null', async () => {
		expect((await exchange(changed('createCampaign', { toNumber: 'x' }))).body).toMatchObject({
			status: 400,
			message: expect.stringContaining('toNumber') as string,
		});
		const nulls = { message: null, templateName: null, templateLanguage: null };
		expect((await send(changed('createCampaign', nulls))).status).toBe(200);
	});

	it('reaches a contact again only when earlier campaigns are ignored', async () => {
		const sms = { campaignType: 'sms', message: 'Hello' };
		const create = async (fields: Record<string, unknown> = {}) => {
			const { data } = await send(changed('createCampaign', { ...sms, ...fields }));
			const { message } = data as { message: string };
			return { message, id: /[0-9a-f-]{36}/.exec(message)?.[0] };
		};

		const first = await create();
		const repeated = await create();
		const ignoring = await create({ ignorePreviousCampaigns: true });
		const otherContact = await create({ toNumber: '+4915100000000' });

		expect(first.message).toContain('created');
		expect(repeated.message).toContain('updated');
		expect(repeated.id).toBe(first.id);
		expect(new Set([first.id, ignoring.id, otherContact.id, undefined]).size).toBe(4);
		const { data } = await send(
			elsewhere(good('getConversation'), KNOWN_USER, encodeURIComponent(TO_NUMBER)),
		);
		expect((data as { messages: unknown[] }).messages).toHaveLength(2);
	});

	it('a bulk campaign takes a real address of the spreadsheet', async () => {
		expect((await send(changed('createBulkCampaign', { sheetURL: 'contacts' }))).status).toBe(400);
	});
});
