import * as fc from 'fast-check';
import { TO_NUMBER } from './seed';
import { changed, good, useService } from './testClient';

const HOUR_MS = 60 * 60 * 1000;

const { simulator, send } = useService();

interface Conversation {
	_id: string;
	workspace: string;
	messages: { content: string }[];
	attributes: unknown;
}

async function conversationOf(userIdentifier: string): Promise<Conversation> {
	const { status, data } = await send({
		method: 'GET',
		path: `/v1/conversation/workspace/${simulator().workspaceId}/${encodeURIComponent(userIdentifier)}`,
	});
	expect(status).toBe(200);
	return data as Conversation;
}

describe('chat', () => {
	const userIdentifier = 'customer-4712';
	const ask = async (fields: Record<string, unknown>) => {
		const { status, data } = await send(changed('chat', { userIdentifier: undefined, ...fields }));
		return { status, body: data as { response: string; conversationId: string } };
	};

	it('continues by user identifier and by conversation id', async () => {
		const first = await ask({ userIdentifier, attributes: { customField1: 'gold' } });
		const { conversationId } = first.body;
		const byUser = await ask({ userIdentifier, question: 'two' });
		const byId = await ask({ conversationId, question: 'three' });
		const byBoth = await ask({ conversationId, userIdentifier, question: 'four' });
		const other = await ask({ userIdentifier: 'another' });

		for (const { body } of [byUser, byId, byBoth]) {
			expect(body.conversationId).toBe(conversationId);
		}
		expect(byId.body.response).toContain('three');
		expect(other.body.conversationId).not.toBe(conversationId);
		const conversation = await conversationOf(userIdentifier);
		expect(conversation).toMatchObject({
			_id: conversationId,
			workspace: simulator().workspaceId,
			attributes: { customField1: 'gold' },
		});
		expect(conversation.messages).toHaveLength(8);
	});

	it('answers a bad continuation by code and moreInfo, a bad start by a message', async () => {
		const badContinuation = await ask({ conversationId: 'unknown' });
		const badStart = await ask({});
		expect(badContinuation.status).toBe(400);
		expect(Object.keys(badContinuation.body)).toEqual(['code', 'moreInfo']);
		expect(badStart.status).toBe(400);
		expect(Object.keys(badStart.body)).toEqual(['message']);
	});

	it('finds any user identifier by its encoded form', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.string({ unit: 'grapheme', minLength: 1 }).filter((id) => !/^\.{1,2}$/.test(id)),
				async (id) => {
					const { body } = await ask({ userIdentifier: id });
					expect((await conversationOf(id))._id).toBe(body.conversationId);
					expect(simulator().requests.at(-1)?.params.userIdentifier).toBe(id);
					expect(simulator().requests.at(-1)?.path).toContain(encodeURIComponent(id));
				},
			),
			{ numRuns: 50 },
		);
	});

	it('tells an unknown user, a bad workspace id and a broken encoding', async () => {
		const get = (path: string) =>
			send({ method: 'GET', path: `/v1/conversation/workspace/${path}` });
		const unknown = await get(`${simulator().workspaceId}/nobody`);
		const badWorkspace = await get('x/nobody');
		const badEncoding = await get(`${simulator().workspaceId}/50%`);
		expect(unknown).toMatchObject({ status: 404, data: { message: 'Conversation not found' } });
		expect(Object.keys(badWorkspace.data as object)).toEqual(['code', 'moreInfo']);
		expect(badWorkspace.status).toBe(400);
		expect(badEncoding.status).toBe(400);
		expect((await get(`${simulator().workspaceId}/`)).status).toBe(404);
	});
});

describe('msgapp', () => {
	const say = (message = 'Hello', attributes?: Record<string, unknown>) =>
		send(changed('continueMsgapp', { toNumber: TO_NUMBER, message, attributes }));

	it('gives the send result', async () => {
		const started = await send(good('startMsgapp'));
		const sent = await send(good('sendMsgappTemplate'));
		const result = {
			contacts: [{ input: TO_NUMBER, wa_id: TO_NUMBER.slice(1) }],
			messages: [{ id: expect.any(String) as string, message_status: 'accepted' }],
			phoneNumberId: expect.any(String) as string,
		};
		const { _id } = await conversationOf(TO_NUMBER);
		expect(started.data).toEqual({
			msg: expect.any(String) as string,
			data: { ...result, conversationId: _id },
		});
		expect(sent.data).toEqual({
			msg: expect.any(String) as string,
			data: { ...result, messaging_product: 'msgapp' },
		});
	});

	it('opens the customer window for 24 hours from the last reply', async () => {
		const notOpen = await say();
		expect(notOpen.status).toBe(400);
		expect(notOpen.data).toEqual({ msg: expect.stringContaining('not responded yet') as string });

		simulator().customerReplies(TO_NUMBER);
		expect((await say()).status).toBe(200);
		simulator().clock.advance(23 * HOUR_MS);
		expect((await say()).status).toBe(200);

		simulator().clock.advance(HOUR_MS + 1);
		const closed = await say();
		expect(closed.status).toBe(400);
		expect(closed.data).toEqual({ msg: expect.stringContaining('More than 24 hours') as string });

		await send(good('sendMsgappTemplate'));
		expect((await say()).status).toBe(400);
		simulator().customerReplies(TO_NUMBER);
		expect((await say()).status).toBe(200);
		expect(simulator().processed('continueMsgapp')).toHaveLength(3);
	});

	it('forgets replies and sets the clock back on a reset', async () => {
		simulator().customerReplies(TO_NUMBER);
		simulator().clock.advance(HOUR_MS);
		simulator().reset();
		expect(Math.abs(simulator().clock.now() - Date.now())).toBeLessThan(HOUR_MS / 2);
		expect((await say()).status).toBe(400);
	});

	it('has a window for every customer', async () => {
		simulator().customerReplies('+4915100000000');
		expect((await say()).status).toBe(400);
	});

	it('fills placeholders from the attributes', async () => {
		simulator().customerReplies(TO_NUMBER);
		await say('Hi {first_name}, {unknown}', { first_name: 'Ada' });
		const { messages } = await conversationOf(TO_NUMBER);
		expect(messages.map(({ content }) => content)).toEqual(['Hi Ada, {unknown}']);
	});

	it('knows only its templates', async () => {
		for (const change of [{ templateName: 'other' }, { language: 'fr' }]) {
			expect((await send(changed('startMsgapp', change))).status).toBe(400);
			expect((await send(changed('sendMsgappTemplate', change))).status).toBe(400);
		}
	});

	it('cannot start without a sender number', async () => {
		simulator().removeSenderNumbers();
		const { status, data } = await send(good('startMsgapp'));
		expect(status).toBe(409);
		expect(data).toEqual({ msg: expect.stringContaining('phone number ids') as string });
		simulator().reset();
		expect((await send(good('startMsgapp'))).status).toBe(200);
	});
});
