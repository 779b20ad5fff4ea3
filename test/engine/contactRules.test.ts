import { getGlobalState, setGlobalState } from 'n8n-workflow';

import { ada, bob, eve, useContacts } from './contacts';
import { runNode } from './engine';

const { simulator, calls, outputs, reached } = useContacts();

const state = getGlobalState();
afterEach(() => {
	setGlobalState(state);
});

test('the hours are looked at again when the turn has come', async () => {
	simulator().addFault({ kind: 'rateLimited', retryAfter: '2', times: 1 });
	const clock = jest.spyOn(Date, 'now');
	// The hours end after the first request.
	clock.mockImplementation(() =>
		Date.parse(`2026-03-02T${simulator().requests.length === 0 ? '17:59' : '18:00'}:30Z`),
	);
	const options = { allowedHours: 'Mon 09:00-18:00', timezone: 'UTC' };

	const [json] = await outputs(calls([ada], options));
	clock.mockRestore();

	expect(json).toMatchObject({ result: 'heldBack', reason: 'outsideHours' });
	expect(simulator().requests).toHaveLength(1);
	expect(reached()).toEqual({});
});

test('the zone of the number says who is called, and when the others may be', async () => {
	const inNewYork = { to: '+12125551234' };
	const people = [inNewYork, { to: '+493012345678' }, { to: '+18005551234' }];
	const satellite = { to: '+870773111632' };
	// A Friday, 15:00 in New York and 21:00 in Berlin.
	const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-20T20:00:00Z'));
	const rules = { allowedHours: 'Mon-Fri 09:00-18:00', timezoneFromNumber: true };

	const output = await outputs(calls([...people, satellite], rules));
	clock.mockRestore();

	const outside = { reason: 'outsideHours', notBefore: null };
	const guamAndSamoa = ['Pacific/Guam', 'Pacific/Pago_Pago'];
	expect(output).toMatchObject([
		{ result: 'placed' },
		{ ...outside, notBefore: '2026-11-23T09:00:00+01:00', timezones: ['Europe/Berlin'] },
		// Toll-free: when the day begins in Guam, it has ended in Samoa.
		{ ...outside, timezones: expect.arrayContaining(guamAndSamoa) as string[] },
		{ ...outside, timezones: [] },
	]);
	expect(Object.keys(reached())).toEqual([inNewYork.to]);
});

test('held-back items can be left out', async () => {
	const options = { doNotContact: bob.to, heldBackItems: 'leaveOut' };

	const { items } = await runNode(calls([ada, bob, eve], options));

	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
});

test('a time zone of the workflow that this Node.js does not know holds back whom it would decide on', async () => {
	setGlobalState({ defaultTimezone: 'US/Nowhere' });
	const items = [{ ...ada, zone: 'UTC' }, { to: '+12125552368' }];
	const rules = { allowedHours: '00:00-24:00' };
	const ofNumber = { ...rules, timezoneFromNumber: true, timezone: '={{ $json.zone }}' };

	const held = await outputs(calls([bob], rules));
	const placed = await outputs(calls(items, ofNumber));

	expect(held).toMatchObject([{ reason: 'outsideHours', notBefore: null, timezones: [] }]);
	expect(placed).toMatchObject([{ result: 'placed' }, { result: 'placed' }]);
});
