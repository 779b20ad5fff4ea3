import {
	countContact,
	hasTooManyContacts,
	KEPT_CONTACTS,
} from '../../../../nodes/shared/delivery/ledger/people';

test('more contacts than n8n keeps are noticed, if they are as young as that', () => {
	for (let time = 1; time <= KEPT_CONTACTS; time++) countContact('node', time);
	expect(hasTooManyContacts('node', 0)).toBe(false);

	countContact('node', KEPT_CONTACTS + 1);
	expect(hasTooManyContacts('node', 0)).toBe(true);
	expect(hasTooManyContacts('node', 1)).toBe(false);
	expect(hasTooManyContacts('another node', 0)).toBe(false);
});
