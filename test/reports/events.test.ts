import { readCallBackTime } from '../../nodes/AssistantServiceTrigger/resultValues';
import { DAY } from '../../nodes/shared/time/clock';
import { useTriggers } from '../engine/webhook';
import { ROW, useBookOfTrigger } from '../trigger/bookOfTrigger';
import {
	ANSWERS_OF_ONE_CALL,
	CALL_BACKS,
	EMPTY,
	EMPTY_OUTPUT,
	EVENT,
	KNOWN_LATER,
	NAMED_IDS,
	NOT_TAKEN,
	OF_ONE_CALL,
	RESULT_OPTIONS,
	RESULTS,
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

test.each(NAMED_IDS)('the ID %s is named by its path', async (path, first, second, json) => {
	const trigger = await open({ callIdProperty: path });

	const answers = [await trigger.post(first), await trigger.post(second)];

	expect(answers.map(({ data }) => data)).toEqual([{ received: true }, { repeat: true }]);
	expect(trigger.executions).toMatchObject([[{ json }]]);
});

test.each(KNOWN_LATER)('%s: a later event adds to the row', async (_, first, second, row) => {
	book.add(ROW);
	const trigger = await book.start({ options: RESULT_OPTIONS });

	for (const event of [first, second]) await trigger.post({ callId: 'call-1', ...event });

	expect(book.rows()).toMatchObject([{ ...ROW, ...row }]);
	expect(trigger.executions).toHaveLength(1);
});

test.each(RESULTS)('%s: of %j is read %j', async (_, event, read, lines) => {
	const trigger = await open(RESULT_OPTIONS);

	await trigger.post({ ...EVENT, ...event });

	expect(trigger.executions).toMatchObject([[{ json: read }]]);
	expect(trigger.log).toHaveLength(lines);
});

test.each(CALL_BACKS)('%s: in %s, %s is %s', (_, zone, said, time) => {
	const read = readCallBackTime(said, zone, Date.parse(`${said}Z`) - DAY);

	expect(read).toBe(new Date(time).toISOString());
});

test('an event with empty fields is an event each time, and without an ID', async () => {
	const trigger = await open();

	for (const body of [EMPTY, EMPTY]) await trigger.post(body);

	const json = EMPTY_OUTPUT;
	expect(trigger.executions).toMatchObject([[{ json }], [{ json }]]);
});
