import { readFileSync } from 'node:fs';
import path from 'node:path';

import { DEFAULT_CALL_ID_PROPERTY, readCallEvent } from '../../nodes/AssistantServiceTrigger/event';

const read = (file: string) => readFileSync(path.join(__dirname, '..', '..', file), 'utf8');

type CallEvent = ReturnType<typeof readCallEvent>;

/** The sample event of the documentation, as a user copies it. */
function documentedSample(): CallEvent {
	const [, text = ''] = /```json\n(.*?)```/s.exec(read('docs/trigger.md')) ?? [];
	return JSON.parse(text) as CallEvent;
}

test('the sample event of the documentation is what the trigger puts out', () => {
	const sample = documentedSample();
	const { summary, transcript, callStartTime, callId, variables, eventKey, receivedAt } = sample;
	const body = { summary, transcript, callStartTime, callId, ...variables };

	expect(eventKey).toBe(callId);
	const receivedDate = new Date(receivedAt);
	expect(readCallEvent(body, DEFAULT_CALL_ID_PROPERTY, eventKey, receivedDate)).toEqual(sample);
});

test('the example workflow starts with the sample event when it is tried by hand', () => {
	const example: unknown = JSON.parse(read('examples/end-of-call.json'));

	expect(example).toMatchObject({ pinData: { 'Call Ended': [{ json: documentedSample() }] } });
});
