import fc from 'fast-check';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { isSecret } from '../../nodes/AssistantServiceTrigger/authenticate';
import { anyText } from '../anyText';
import { type TriggerServer, useTriggers } from '../engine/webhook';

const OLD = 'correct horse battery staple';
const NEW = 'another horse & battery stable';
const HEADER = 'x-webhook-secret';
const start = useTriggers();

afterEach(() => {
	jest.restoreAllMocks();
});

/** As curl sends it: Node.js writes a header byte by byte. */
const inHeader = (secret: string, encoding: BufferEncoding = 'utf8') => ({
	headers: { [HEADER]: Buffer.from(secret, encoding).toString('latin1') },
});
const inQuery = (secret: string) => ({ query: `?secret=${encodeURIComponent(secret)}` });

const statusesOf = async (trigger: TriggerServer, secret: string) => [
	(await trigger.post({ summary: 'Booked.' }, inHeader(secret))).status,
	(await trigger.post({ summary: 'Booked.' }, inQuery(secret))).status,
];

const open = async (credential: ICredentialDataDecryptedObject) => await start({ credential });

/** Lets the 5 seconds pass in which what was read of the credential is taken. */
function passTime(): void {
	const later = performance.now() + 5_000;
	jest.spyOn(performance, 'now').mockImplementation(() => later);
}

test('a secret is changed in three steps without a refused event', async () => {
	const credential: ICredentialDataDecryptedObject = { webhookSecret: OLD, webhookHeader: HEADER };
	const trigger = await open(credential);

	expect(await statusesOf(trigger, OLD)).toEqual([200, 200]);
	expect(await statusesOf(trigger, NEW)).toEqual([401, 401]);
	Object.assign(credential, { webhookSecret: NEW, previousWebhookSecret: OLD });
	expect(await statusesOf(trigger, OLD)).toEqual([200, 200]);
	expect(await statusesOf(trigger, NEW)).toEqual([200, 200]);
	credential.previousWebhookSecret = '';
	expect(await statusesOf(trigger, NEW)).toEqual([200, 200]);
	expect(await statusesOf(trigger, OLD)).toEqual([401, 401]);
	credential.webhookSecret = OLD;
	passTime();
	expect(await statusesOf(trigger, NEW)).toEqual([401, 401]);
});

/** What an expression, an import or another program can leave in the field: never a secret. */
const NO_SECRETS = [
	...[[undefined], [null], [''], [' \t'], [1234567890123456], [0], [true]],
	...[[[OLD]], [{ secret: OLD }]],
];

test.each<unknown[]>(NO_SECRETS)(
	'a previous secret that is %j lets nobody in',
	async (previous) => {
		const credential = {
			webhookSecret: NEW,
			previousWebhookSecret: previous,
			webhookHeader: HEADER,
		};
		const trigger = await open(credential as ICredentialDataDecryptedObject);
		const given = ['', ' ', OLD, 'undefined', 'null', 'true', '[object Object]', '0'];

		for (const secret of [...given, String(previous).trim()]) {
			expect(await statusesOf(trigger, secret)).toEqual([401, 401]);
		}
		expect((await trigger.post({ summary: 'Booked.' })).status).toBe(401);
		expect(await statusesOf(trigger, NEW)).toEqual([200, 200]);
		expect(trigger.executions).toHaveLength(2);
	},
);

test('of any texts, the two secrets and no others are accepted', async () => {
	const printable = fc
		.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
		.filter((text) => text === text.trim());
	const text = fc.oneof(printable, fc.constantFrom('a', 'b', 'schlüssel', 'schlüßel', '密'));
	await fc.assert(
		fc.asyncProperty(text, text, text, async (webhookSecret, previousWebhookSecret, given) => {
			const trigger = await open({ webhookSecret, previousWebhookSecret, webhookHeader: HEADER });
			const status = [webhookSecret, previousWebhookSecret].includes(given) ? 200 : 401;
			expect(await statusesOf(trigger, given)).toEqual([status, status]);
		}),
		{ numRuns: 30 },
	);
});

test.each(['', ' ', null, ['x']])('without a secret (%j) nothing is accepted', async (secret) => {
	const webhookSecret = secret as string;
	const trigger = await open({ webhookSecret, previousWebhookSecret: OLD, webhookHeader: HEADER });

	for (const given of ['', ' ', OLD]) expect(await statusesOf(trigger, given)).toEqual([401, 401]);
});

test.each([[[OLD]], [{ toString: () => OLD }], [7], [null], [undefined]])(
	'%p, as a query can give it, is no secret',
	(given) => {
		expect([isSecret(OLD, OLD), isSecret(given, OLD)]).toEqual([true, false]);
	},
);

test.each(['utf8', 'latin1'] as const)('a secret is accepted in %s', async (encoding) => {
	const trigger = await open({ webhookSecret: 'grün und süß', webhookHeader: HEADER });
	const statusOf = async (secret: string) =>
		(await trigger.post({ summary: 'Booked.' }, inHeader(secret, encoding))).status;

	expect(await statusOf('grün und süß')).toBe(200);
	expect(await statusOf('grun und suß')).toBe(401);
});

test('the secret of one trigger is not known to another', async () => {
	const trigger = await open({ webhookSecret: OLD, webhookHeader: HEADER });
	const other = await open({ webhookSecret: NEW, webhookHeader: HEADER });

	expect(await statusesOf(trigger, OLD)).toEqual([200, 200]);
	expect(await statusesOf(other, OLD)).toEqual([401, 401]);
	expect(await statusesOf(other, NEW)).toEqual([200, 200]);
	expect(await statusesOf(trigger, NEW)).toEqual([401, 401]);
});

test('an authentication that cannot be read lets nobody in', async () => {
	const trigger = await start({
		parameters: { authentication: '={{ $("Nobody").item.json.a }}' },
		credential: { webhookSecret: OLD, webhookHeader: HEADER },
	});

	expect((await trigger.post({ summary: 'Booked.' })).status).toBe(401);
	expect(trigger.executions).toEqual([]);
});

const SECRET = 'correct horse battery staple';

const key = fc.oneof(
	fc.constantFrom('__proto__', 'constructor', 'toString', 'toJSON', 'then', 'callId', 'summary'),
	fc.constantFrom('transcript', 'callStartTime', 'variables', 'error', 'json', 'binary', 'length'),
	anyText,
);
const value = fc.oneof(
	fc.constantFrom('1e999', '-0', '9007199254740993', '"\\ud800"', '" null "', '"={{ $env }}"'),
	fc.constantFrom('{"__proto__":{"polluted":true}}', '{"toString":null}', '[[],[null],{}]'),
	fc.json(),
);

/** As text, because an object cannot hold `__proto__` or the same key twice. */
const objectText = fc
	.array(fc.tuple(key, value), { maxLength: 8 })
	.map((entries) => `{${entries.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`);

const event = objectText.map((body) => ({ body, isEvent: true }));
const noEvent = fc
	.oneof(fc.constantFrom('null', '""', '[{"callId":"c-1"}]', '['.repeat(300) + ']'.repeat(300)))
	.map((body) => ({ body, isEvent: false }));
/** n8n itself refuses broken JSON that calls itself JSON. */
const broken = objectText.map((text) => ({ body: text.slice(0, -1), isEvent: false }));

const delivery = fc.oneof(
	fc.tuple(fc.oneof(event, noEvent), fc.constant('application/json')),
	fc.tuple(fc.oneof(event, noEvent, broken), fc.constantFrom('text/plain', 'a/b', '__proto__')),
);

const sender = fc.constantFrom(
	{ headers: { 'x-webhook-secret': SECRET }, isKnown: true },
	{ query: `?secret=${encodeURIComponent(SECRET)}`, isKnown: true },
	{ query: `?secret[]=${SECRET}`, isKnown: false },
	{ query: `?__proto__[secret]=${SECRET}`, isKnown: false },
	{ query: '?secret[length]=28&secret[toString]=1', isKnown: false },
	{ headers: { authorization: `Bearer ${SECRET}` }, isKnown: false },
);

test('of all deliveries exactly the events of known senders are executed, and nothing throws', async () => {
	const credential = { webhookSecret: SECRET, webhookHeader: 'X-Webhook-Secret' };
	const triggers = [
		await start({ credential, parameters: { options: { ignoreRepeats: false } } }),
		await start({
			credential,
			parameters: { options: { ignoreRepeats: false, output: 'raw', callIdProperty: '__proto__' } },
		}),
	];
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...triggers),
			delivery,
			sender,
			async (trigger, [{ body, isEvent }, type], { headers, query, isKnown }) => {
				const before = trigger.executions.length;

				const { status } = await trigger.post(body, {
					headers: { 'content-type': type, ...headers },
					query,
				});

				const accepted = isEvent ? 200 : 400;
				expect(status).toBe(isKnown ? accepted : 401);
				expect(trigger.executions).toHaveLength(before + (status === 200 ? 1 : 0));
				expect({}).not.toHaveProperty('polluted');
			},
		),
		{ numRuns: 300 },
	);
});
