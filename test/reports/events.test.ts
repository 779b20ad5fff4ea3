import { useTriggers } from '../engine/webhook';
import {
	ANSWERS_OF_ONE_CALL,
	EMPTY,
	EMPTY_OUTPUT,
	EVENT,
	OF_ONE_CALL,
	NOT_TAKEN,
	TAKEN,
} from './eventBodies';

const start = useTriggers();
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

test('an event with empty fields is an event each time, and without an ID', async () => {
	const trigger = await open();

	for (const body of [EMPTY, EMPTY]) await trigger.post(body);

	const json = EMPTY_OUTPUT;
	expect(trigger.executions).toMatchObject([[{ json }], [{ json }]]);
});
