import { forAgent } from '../../../nodes/shared/answer/agentAdvice';
import { createFailure } from '../../../nodes/shared/answer/failure';
import { steadyNow } from '../../../nodes/shared/time/clock';
import { limitReached, waitedTooLong } from '../../../nodes/shared/delivery/deliveryFailures';

const refused = createFailure({ kind: 'rateLimited', outcome: 'refused', httpStatus: 429 });

const HOUR = 3_600_000;

test.each([
	['that the service has named', () => steadyNow() + HOUR / 2, /asked again at \d\S+, in 1800 s\./],
	['of a last second', () => steadyNow() + 900, /asked again at \d\S+, in 1 s\./],
	['that is over', () => steadyNow() - 1, /within the next minute/],
	['that the service has not named', () => undefined, /within the next minute/],
])('a wait %s: an agent reads what it can do, a user about the options', (_, askAgainAt, told) => {
	for (const failure of [limitReached(askAgainAt()), waitedTooLong(refused, askAgainAt())]) {
		const { message } = forAgent(failure);

		expect(message).toMatch(told);
		expect(message).toMatch(/Do not repeat this tool call/);
		expect(message).not.toMatch(/Max Wait|Requests per Second|options/);
	}
	const isNamed = (askAgainAt() ?? 0) > steadyNow();
	expect(limitReached(askAgainAt()).hint.includes('raise "Max Wait"')).toBe(!isNamed);
});
