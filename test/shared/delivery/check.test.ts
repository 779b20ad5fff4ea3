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

test('a rule of contact that would hold an item back says so, and nobody counts as contacted', async () => {
	const contactRules = { doNotContact: '+4915112345678', notAgainWithin: 24 };
	const planned = [
		planOf('call.place', { contactRules }),
		planOf('call.place', { contactRules: { notAgainWithin: 24 } }),
	];
	const { ledger, contacts } = openOver(emptyStore, planned);

	const results = await checkItems(planned, ledger, () => undefined);

	expect(results).toMatchObject([{ heldBack: { reason: 'doNotContact' } }, { checked: {} }]);
	expect(contacts.isPending(1)).toBe(false);
	expect(contacts.history(1, false).contacts[0]).toBeUndefined();
});
