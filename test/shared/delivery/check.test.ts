import { createFailure } from '../../../nodes/shared/answer/failure';
import { checkItems } from '../../../nodes/shared/delivery/check';
import { planOf } from '../samples';
import { emptyStore } from './emptyStore';
import { openOver } from './ledger/openOver';

const bad = createFailure({
	kind: 'invalidInput',
	outcome: 'notSent',
	message: 'No number',
	hint: '',
});
const plan = planOf('call.place');
const refused = { ...plan, failure: bad };

test('says of each item what would become of it, and how the check comes on', async () => {
	const planned = [plan, refused];
	const seen: number[] = [];

	const results = await checkItems(planned, openOver(emptyStore, planned).ledger, ({ length }) =>
		seen.push(length),
	);

	expect(results).toEqual([{ checked: plan.main }, { accepted: false, failure: bad }]);
	expect(seen).toEqual([1, 2]);
});

test('a rule of contact that would hold an item back says so', async () => {
	const contactRules = { doNotContact: '+4915112345678' };
	const planned = [planOf('call.place', { contactRules }), plan];

	const results = await checkItems(planned, openOver(emptyStore, planned).ledger, () => undefined);

	expect(results).toMatchObject([{ heldBack: { reason: 'doNotContact' } }, { checked: {} }]);
});
