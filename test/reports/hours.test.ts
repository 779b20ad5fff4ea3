import { allowedHours, rulesOf } from '../../nodes/shared/rules/contactRules';
import { zonesOfNumber } from '../../nodes/shared/rules/numberZones';
import { Rules } from '../../nodes/shared/rules/rules';
import { valueOf } from '../shared/samples';
import type { Reports } from './report';

/** Hours in Bogota, when a call is due, and when it may be made. */
const HOURS: Reports<[hours: string, due: string, made: string]> = [
	['hkjarral/AVA-AI-Voice-Agent-for-Asterisk#539', '9:00-17:00', '2026-07-20T14:00Z', 'then'],
	['tlemens/time_of_day_attr#1', '09:00-24:00', '2026-07-21T04:59Z', 'then'],
	['tlemens/time_of_day_attr#1', '09:00-24:01', '2026-07-20T17:00Z', 'refused'],
	['instedd/surveda#1602', '09:00-20:00', '2026-12-08T00:37Z', 'then'],
	['instedd/surveda#1602', '09:00-20:00', '2026-12-08T01:00Z', '2026-12-08T09:00:00-05:00'],
	['ZoneMinder/zmeventnotificationNg#52', '19:00-07:00', '2026-09-22T03:00Z', 'then'],
];

test.each(HOURS)('%s: in the hours %s a call due at %s is made: %s', (_, hours, due, made) => {
	const read = valueOf(allowedHours.schema, hours);
	const held = () => {
		const rules = rulesOf({ allowedHours: read, timezone: 'America/Bogota' });
		return new Rules('', '', []).holdOutside({ toNumber: '', rules }, Date.parse(due));
	};

	expect(read === 'refused' ? read : (held()?.notBefore ?? 'then')).toBe(made);
});

/** Numbers that were put into other zones, and where they are. */
const ZONES_OF_NUMBERS: Reports<[number: string, zone: string]> = [
	['google/libphonenumber#1133', '+16235529111', 'America/Phoenix'],
	['google/libphonenumber#667', '+15342201462', 'America/Chicago'],
	['google/libphonenumber#1369', '+16846227100', 'Pacific/Pago_Pago'],
];

test.each(ZONES_OF_NUMBERS)('%s: %s is in %s', (_, number, zone) => {
	expect(zonesOfNumber(number)).toEqual([zone]);
});
