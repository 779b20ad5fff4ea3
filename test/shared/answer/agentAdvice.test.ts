import { forAgent } from '../../../nodes/shared/answer/agentAdvice';
import {
	createFailure,
	FAILURE_TEXTS,
	type FailureKind,
} from '../../../nodes/shared/answer/failure';
import { createNodeError } from '../../../nodes/shared/answer/nodeError';
import { node } from '../samples';

const kinds = Object.keys(FAILURE_TEXTS) as FailureKind[];

const REPEAT = /[Dd]o not repeat this tool call|[Rr]epeat this tool call once at most/;

test.each(kinds)(
	'%s: what to do, and what not to do again, in a message that n8n keeps',
	(kind) => {
		for (const outcome of ['refused', 'notSent', 'unknown'] as const) {
			const told = forAgent(createFailure({ kind, outcome }));

			expect(createNodeError(node, told, { itemIndex: 0 }).message).toBe(told.message);
			expect(told.message).toMatch(REPEAT);
			expect(told.message.startsWith(FAILURE_TEXTS[kind].message)).toBe(true);
			expect(told.message.includes('Nothing was sent.')).toBe(outcome === 'notSent');
			expect(told.message).not.toMatch(/\b(?:Open|Raise|Upgrade|options|credential)\b/);
		}
	},
);

test('a hint of the failure itself stays: it says more', () => {
	const told = forAgent(
		createFailure({ kind: 'forbidden', outcome: 'refused', hint: 'Try again at 12:00.' }),
	);

	expect(told.message).toBe(`${FAILURE_TEXTS.forbidden.message}. Try again at 12:00.`);
});

test('an unknown outcome of an operation that is safe to repeat may be repeated once', () => {
	const lost = createFailure({ kind: 'timeout', outcome: 'unknown' });

	expect(forAgent(lost, { repeatable: true }).message).toMatch(/once at most/);
	expect(forAgent(lost, { repeatable: false }).message).toMatch(/Do not repeat this tool call/);
});
