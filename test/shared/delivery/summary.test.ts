import { summarize } from '../../../nodes/shared/delivery/summary';
import { accepted, failed } from './results';

test('every item counts by what became of it', () => {
	const results = [
		accepted,
		failed('unknown'),
		accepted,
		failed('notSent'),
		accepted,
		failed('refused'),
		failed('notSent'),
		accepted,
		failed('unknown'),
		failed('unknown'),
	];

	expect(summarize(results)).toMatch(
		/^Of 10 items 4 were accepted, 1 refused, 3 unknown and 2 not sent\. To continue, /,
	);
});

test.each([[[]], [[accepted]], [[failed('unknown')]]])('%j need no summary', (results) => {
	expect(summarize(results)).toBe('');
});
