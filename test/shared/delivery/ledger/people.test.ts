import {
	beginContact,
	countContact,
	endContact,
	hasTooManyContacts,
	KEPT_CONTACTS,
	lastContact,
	takeAllVoided,
	voidMarks,
} from '../../../../nodes/shared/delivery/ledger/people';

test('more contacts than n8n keeps are noticed, if they are as young as that', () => {
	for (let time = 1; time <= KEPT_CONTACTS; time++) countContact('node', time);
	expect(hasTooManyContacts('node', 0)).toBe(false);

	countContact('node', KEPT_CONTACTS + 1);
	expect(hasTooManyContacts('node', 0)).toBe(true);
	expect(hasTooManyContacts('node', 1)).toBe(false);
	expect(hasTooManyContacts('another node', 0)).toBe(false);
});

test('who was not contacted takes no place of those who were', () => {
	beginContact('Ada');
	endContact('Ada', 5);

	for (let person = 0; person < 130_000; person++) {
		beginContact(`in the book ${person}`);
		endContact(`in the book ${person}`);
		beginContact(`refused ${person}`);
		voidMarks(`refused ${person}`, ['mark']);
		endContact(`refused ${person}`);
		takeAllVoided(`refused ${person}`);
	}

	expect(lastContact('Ada')).toBe(5);
});
