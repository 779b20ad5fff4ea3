import fc from 'fast-check';

import { answersTo, useTriggers } from '../engine/webhook';

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

const start = useTriggers();
const open = (options = {}) => start({ parameters: { authentication: 'none', options } });

test.each([
	['calls', (place: number) => `{"callId":"call ${place} of a moment"}`],
	['events without a call ID and without a transcript', () => '{"summary":"No answer."}'],
])('%s that end at the same moment do not wait for each other', async (_, bodyOf) => {
	let begun = 0;
	const trigger = await start({
		parameters: { authentication: 'none' },
		canStart: async () => {
			begun++;
			// None is answered before all have begun.
			while (begun < 5) await new Promise(setImmediate);
			return true;
		},
	});

	const posts = Array.from({ length: 5 }, async (__, place) => await trigger.post(bodyOf(place)));

	expect((await Promise.all(posts)).map(({ data }) => data)).toEqual(Array(5).fill(RECEIVED));
	expect(trigger.executions).toHaveLength(5);
});

describe('deliveries in any order', () => {
	/** A call, and how its event looks; what makes it an event of its own is known from how it was made. */
	interface Call {
		body: string;
		/** Deliveries with the same name are one event; without a name each is an event of its own. */
		name: string | undefined;
	}
	const number = fc.nat({ max: 3 });
	const rest = fc.constantFrom('', ',"mood":"good"', ',"callId":"other"', ',"sid":"other"');
	const noTranscript = fc.constantFrom(
		'',
		...NO_TRANSCRIPTS.map((none) => `,"transcript":${none}`),
	);
	const noId = (property: string) =>
		fc.constantFrom('"a":1', ...NO_IDS.map((id) => `"${property}":${id}`));
	const other = (property: string) =>
		rest.filter((properties) => !properties.includes(`"${property}"`));

	const callBy = (property: string): fc.Arbitrary<Call> =>
		fc.oneof(
			fc
				.tuple(number, fc.boolean(), other(property), noTranscript)
				.map(([id, isText, ...more]) => ({
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

	test('start one execution for each event', async () => {
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
});
