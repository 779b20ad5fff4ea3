import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { isDeepStrictEqual } from 'node:util';

import { hold } from '../simulator/hold';
import { type TriggerServer, type TriggerSetup, useTriggers } from '../engine/webhook';

const event = { summary: 'Booked.', transcript: 'Hi' };

const start = useTriggers();

/** Sends the end of a call that no other test knows. */
async function deliverTo(trigger: TriggerServer, signal?: AbortSignal) {
	const callId = `call of ${expect.getState().currentTestName ?? ''}`;
	const { status, data } = await trigger.post({ ...event, callId }, { signal });
	return { status, data };
}

const open = (options = {}, more: TriggerSetup = {}) =>
	start({ parameters: { authentication: 'none', options }, ...more });

test.each<[string, object, TriggerSetup]>([
	['when the user wants them', { ignoreRepeats: false }, {}],
	['in test executions', {}, { mode: 'manual' }],
])('repeats count %s', async (_, options, more) => {
	const trigger = await open(options, more);
	await deliverTo(trigger);
	await deliverTo(trigger);

	expect(trigger.executions).toHaveLength(2);
});

test.each(['={{ undefined }}', '={{ null }}', '={{ "true" }}', '', '={{ 1 }}'])(
	'a switch for repeats that gives nothing readable (%j) is no wish for them',
	async (ignoreRepeats) => {
		const trigger = await open({ ignoreRepeats });
		await deliverTo(trigger);
		await deliverTo(trigger);

		expect(trigger.executions).toHaveLength(1);
	},
);

describe('while n8n still tries to start the execution of the first delivery', () => {
	/** A trigger whose first execution starts, or fails to, when it is told to; the others start. */
	const startSlowly = async () => {
		const { until: begun, release: begin } = hold();
		const { until: settled, release: settle } = hold<boolean>();
		const first = async () => {
			begin();
			return await settled;
		};
		const attempts = [first];
		const trigger = await open({}, { canStart: () => attempts.shift()?.() ?? true });
		const deliver = (signal?: AbortSignal) => deliverTo(trigger, signal);
		return { trigger, deliver, begun, settle };
	};

	test.each([
		{ canStart: false, first: 500, becomes: 'taken', second: { received: true } },
		{ canStart: true, first: 200, becomes: 'a repeat', second: { repeat: true } },
	])('another one waits, and is $becomes if the first is answered $first', async (expected) => {
		const { trigger, deliver, begun, settle } = await startSlowly();
		const first = deliver();
		await begun;
		const second = deliver();
		expect(await Promise.race([second, sleep(100)])).toBeUndefined();

		settle(expected.canStart);

		expect((await first).status).toBe(expected.first);
		expect(await second).toEqual({ status: 200, data: expected.second });
		expect((await deliver()).data).toEqual({ repeat: true });
		expect(trigger.executions).toHaveLength(1);
	});

	test('its sender may give up, and is taken when it comes again', async () => {
		const { trigger, deliver, begun, settle } = await startSlowly();
		const givesUp = new AbortController();
		const first = deliver(givesUp.signal).catch((error: unknown) => error);
		await begun;
		givesUp.abort();
		expect(await first).toMatchObject({ code: 'ERR_CANCELED' });
		const second = deliver();
		expect(await Promise.race([second, sleep(100)])).toBeUndefined();

		settle(false);

		expect((await second).data).toEqual({ received: true });
		expect((await deliver()).data).toEqual({ repeat: true });
		expect(trigger.executions).toHaveLength(1);
	});
});

test('of many at once one is taken, also if n8n cannot start the executions of the first ones', async () => {
	const attempts = [false, false];
	const trigger = await open({}, { canStart: () => attempts.shift() ?? true });

	const answers = await Promise.all(Array.from({ length: 6 }, () => deliverTo(trigger)));

	expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 500, 500]);
	expect(answers.filter(({ data }) => isDeepStrictEqual(data, { received: true }))).toHaveLength(1);
	expect(trigger.executions).toHaveLength(1);
});

/** What the trigger answers to these deliveries, one after the other. */
async function answersTo(trigger: TriggerServer, ...bodies: readonly string[]): Promise<unknown[]> {
	const answers: unknown[] = [];
	for (const body of bodies) answers.push((await trigger.post(body)).data);
	return answers;
}

test.each([
	['numbers beyond 2^53', '"n":9007199254740993', '"n":9007199254740992'],
	['call IDs beyond 2^53', '"callId":1234567890123456789', '"callId":1234567890123456788'],
	['another order', '"a":1,"b":2', '"b":2,"a":1'],
])('two events without a call ID differ by their bytes: %s', async (_, one, other) => {
	const bodies = [one, other].map((properties) => `{"transcript":"Hi",${properties}}`);
	const trigger = await open();

	expect(await answersTo(trigger, ...bodies, ...bodies)).toEqual([
		...[{ received: true }, { received: true }, { repeat: true }, { repeat: true }],
	]);
});

const RECEIVED = { received: true };
const REPEAT = { repeat: true };
/** Placeholders for a call ID that an event does not have, as JSON. */
const NO_IDS = [
	...['null', '0', '-0', '""', '" "', '"\\t\\n"', '"N/A"', '"n/a"', '" N/A "', '"null"', '"NULL"'],
	...['"undefined"', '"Undefined"', '"0"', '" 0 "'],
];
/** Transcripts of a call in which nobody spoke, as JSON. */
const NO_TRANSCRIPTS = [
	...['null', '""', '" \\n "', '"N/A"', '"undefined"', '[]', '{}', '[{}]', '[""]', '[[], " "]'],
	...['{"turns": []}', '[{"text": null}]', '[{"text": "", "at": 0}]', '0', '7', 'false', 'true'],
];

test.each([
	['calls', (place: number) => `{"callId":"call ${place} of a moment"}`],
	['events without a call ID and without a transcript', () => '{"summary":"No answer."}'],
])('%s that end at the same moment do not wait for each other', async (_, bodyOf) => {
	let begun = 0;
	const canStart = async () => {
		begun++;
		// None is answered before all have begun.
		while (begun < 5) await new Promise(setImmediate);
		return true;
	};
	const trigger = await open({}, { canStart });

	const posts = Array.from({ length: 5 }, async (__, place) => await trigger.post(bodyOf(place)));

	expect((await Promise.all(posts)).map(({ data }) => data)).toEqual(Array(5).fill(RECEIVED));
	expect(trigger.executions).toHaveLength(5);
});

/** A call, and how its event looks; what makes it an event of its own is known from how it was made. */
interface Call {
	body: string;
	/** Deliveries with the same name are one event; without a name each is an event of its own. */
	name: string | undefined;
}
const number = fc.nat({ max: 3 });
const rest = fc.constantFrom('', ',"mood":"good"', ',"callId":"other"', ',"sid":"other"');
const noTranscript = fc.constantFrom('', ...NO_TRANSCRIPTS.map((none) => `,"transcript":${none}`));
const noId = (property: string) =>
	fc.constantFrom('"a":1', ...NO_IDS.map((id) => `"${property}":${id}`));
const other = (property: string) =>
	rest.filter((properties) => !properties.includes(`"${property}"`));

const callBy = (property: string): fc.Arbitrary<Call> =>
	fc.oneof(
		fc.tuple(number, fc.boolean(), other(property), noTranscript).map(([id, isText, ...more]) => ({
			body: `{"${property}":${isText ? `" ${id + 1} "` : id + 1}${more.join('')}}`,
			name: `call ${id}`,
		})),
		fc.tuple(noId(property), number, other(property)).map(([start, text, more]) => {
			const body = `{${start},"transcript":[{"role":"","text":"Hi ${text}"}]${more}}`;
			return { body, name: body };
		}),
		fc.tuple(noId(property), noTranscript, other(property)).map((parts) => ({
			body: `{${parts.join('')}}`,
			name: undefined,
		})),
	);
const deliveries = fc
	.constantFrom('callId', 'sid', '__proto__', 'toString', 'eventKey', 'a.b', 'é 0')
	.chain((property) => fc.tuple(fc.constant(property), fc.array(callBy(property))));

test('deliveries in any order start one execution for each event', async () => {
	await fc.assert(
		fc.asyncProperty(deliveries, fc.boolean(), async ([property, calls], isAtOnce) => {
			const trigger = await open({ callIdProperty: property, output: 'raw' });
			const known = new Set<string>();
			const expected = calls.map(({ name }) => {
				const isRepeat = name !== undefined && known.has(name);
				if (name !== undefined) known.add(name);
				return JSON.stringify(isRepeat ? REPEAT : RECEIVED);
			});
			const bodies = calls.map(({ body }) => body);
			const answers = isAtOnce
				? (await Promise.all(bodies.map((body) => answersTo(trigger, body)))).flat()
				: await answersTo(trigger, ...bodies);

			// Of simultaneous deliveries any may be the first.
			const given = answers.map((answer) => JSON.stringify(answer));
			expect(isAtOnce ? given.sort() : given).toEqual(isAtOnce ? expected.sort() : expected);
			expect(trigger.executions).toHaveLength(
				expected.filter((answer) => answer === JSON.stringify(RECEIVED)).length,
			);
		}),
		{ numRuns: 60 },
	);
}, 60_000);
