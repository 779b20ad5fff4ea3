import { useTriggers } from '../engine/webhook';
import { BOOK, ROW, useBookOfTrigger } from '../trigger/bookOfTrigger';
import {
	ANSWERS_OF_ONE_CALL,
	EMPTY,
	EMPTY_OUTPUT,
	EVENT,
	KNOWN_LATER,
	NESTED,
	OF_ONE_CALL,
	NOT_TAKEN,
	ROW_OF_KNOWN_LATER,
	TAKEN,
} from './eventBodies';

const start = useTriggers();
const book = useBookOfTrigger();
const { callId, summary } = EVENT;
const open = (options = {}) => start({ parameters: { authentication: 'none', options } });

test.each(TAKEN)('an event as %s is taken: %j', async (type, body) => {
	const trigger = await open();

	const { status } = await trigger.post(body, { headers: { 'content-type': type } });

	expect(status).toBe(200);
	expect(trigger.executions).toMatchObject([[{ json: { callId, summary } }]]);
});

test.each(NOT_TAKEN)('what is no event is refused: %s %j', async (type, body) => {
	const trigger = await open();

	const { status, data } = await trigger.post(body, { headers: { 'content-type': type } });

	expect(status).toBe(400);
	expect(data).toHaveProperty('hint');
	expect(trigger.executions).toEqual([]);
});

test.each(ANSWERS_OF_ONE_CALL)(
	'ended and analysed are one call with Ignore Repeats %j',
	async (ignoreRepeats, expected) => {
		const trigger = await open({ callIdProperty: 'call_id', ignoreRepeats });

		const answers: unknown[] = [];
		for (const body of OF_ONE_CALL) answers.push((await trigger.post(body)).data);

		expect(answers).toEqual(expected);
	},
);

test('an ID that is inside other properties is named by its path', async () => {
	const trigger = await open(NESTED.options);

	const answers = [await trigger.post(NESTED.body), await trigger.post(NESTED.body)];

	expect(answers.map(({ data }) => data)).toEqual([{ received: true }, { repeat: true }]);
	expect(trigger.executions).toMatchObject([[{ json: NESTED.output }]]);
});

test('what a first report of a call lacks, a later one adds to its row', async () => {
	await book.prepare(ROW);
	const trigger = await book.start();

	for (const body of KNOWN_LATER) await trigger.post(body);

	expect(book.tables().table(BOOK).rows).toMatchObject([{ ...ROW, ...ROW_OF_KNOWN_LATER }]);
	expect(trigger.executions).toHaveLength(1);
});

test('an event with empty fields is an event each time, and without an ID', async () => {
	const trigger = await open();

	for (const body of [EMPTY, EMPTY]) await trigger.post(body);

	const json = EMPTY_OUTPUT;
	expect(trigger.executions).toMatchObject([[{ json }], [{ json }]]);
});
