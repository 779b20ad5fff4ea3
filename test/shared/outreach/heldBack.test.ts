import { createHoursRule, heldBackForAgent } from '../../../nodes/shared/outreach/heldBack';

const DAY = [{ days: [], from: 540, to: 1080 }];

test('an agent is told that the time zone of a number is not known', () => {
	const heldBack = { reason: 'outsideHours', notBefore: null, timezones: [] } as const;

	expect(heldBackForAgent(heldBack, { toNumber: '+870773111632' })).toMatchObject({
		timezones: [],
		message:
			'Nothing was sent: the time zone of +870773111632 is not known, and so not whether people may be contacted there now. Do not repeat this tool call: no later time is known.',
	});
});

test('what is found of hours and zones holds for its minute and its zones only', () => {
	const isOutside = createHoursRule();
	const at = (time: string, ...timezones: string[]) =>
		isOutside(DAY, timezones, Date.parse(`2026-11-20T${time}Z`))?.notBefore;

	expect(at('17:59:59.999', 'UTC')).toBeUndefined();
	expect(at('17:59:59.999', 'UTC', 'Europe/Berlin')).toBe('2026-11-21T09:00:00+00:00');
	expect(at('17:59:59.999', 'Europe/Berlin')).toBe('2026-11-21T09:00:00+01:00');
	expect(at('18:00', 'UTC')).toBe('2026-11-21T09:00:00+00:00');
	expect(at('17:59', 'UTC')).toBeUndefined();
	expect(at('12:00')).toBeNull();
});
