import { createFailure } from '../../../nodes/shared/answer/failure';
import { Admission } from '../../../nodes/shared/delivery/admission';
import { checkItems } from '../../../nodes/shared/delivery/check';
import { ContactMemory } from '../../../nodes/shared/delivery/memory/contactMemory';
import { planOf } from '../samples';
import { emptyStore } from './emptyStore';

test('says of each item what would become of it, and how the check comes on', () => {
	const bad = createFailure({
		kind: 'invalidInput',
		outcome: 'notSent',
		message: 'No number',
		hint: '',
	});
	const plan = planOf('call.place');
	const plans = [plan, undefined];
	const contactMemory = new ContactMemory(emptyStore, 'node', plans);
	const admission = new Admission(plans, { timezone: 'UTC', contactMemory, isOwn: () => false });
	const seen: number[] = [];

	const results = checkItems(
		[plan, { ...plan, failure: bad }],
		admission,
		() => undefined,
		({ length }) => seen.push(length),
	);

	expect(results).toEqual([{ checked: plan.main }, { accepted: false, failure: bad }]);
	expect(seen).toEqual([1, 2]);
});
