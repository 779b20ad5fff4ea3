import fc from 'fast-check';

import { useTriggers } from './webhook';

const SECRET = 'correct horse battery staple';
const start = useTriggers();

const key = fc.oneof(
	fc.constantFrom('__proto__', 'constructor', 'toString', 'toJSON', 'then', 'callId', 'summary'),
	fc.constantFrom('transcript', 'callStartTime', 'variables', 'error', 'json', 'binary', 'length'),
	fc.string({ unit: 'binary' }),
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
