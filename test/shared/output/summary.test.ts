import { summarize } from '../../../nodes/shared/output/summary';
import type { RunResult } from '../../../nodes/shared/delivery/result';
import { accepted, failed } from '../delivery/results';
import { operationOf, planOf } from '../samples';

const call = operationOf('call.place');
const queued: RunResult = { accepted: true, body: { status: 'queued' }, via: 'main', added: {} };
const heldBack: RunResult = { heldBack: { reason: 'doNotContact', notBefore: null } };

test('every item counts by what became of it', () => {
	const results = [
		accepted,
		failed('unknown'),
		queued,
		failed('notSent'),
		accepted,
		failed('refused'),
		heldBack,
		failed('notSent'),
		accepted,
		failed('unknown'),
		failed('unknown'),
		{ checked: planOf('call.place').main },
	];

	expect(summarize(call, results)).toBe(
		'Of 12 items: 3 placed, 1 queued, 1 checked, 1 held back (1 do not contact), 1 refused, 2 not sent, 3 unknown',
	);
});

test('an operation says in its own word what was accepted', () => {
	expect(summarize(operationOf('sms.start'), [accepted])).toBe('Of 1 item: 1 sent');
});
