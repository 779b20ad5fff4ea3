import { getGlobalState, setGlobalState } from 'n8n-workflow';

import { until } from '../until';
import { ada, bob, closedHours, eve, useContacts } from './contacts';
import { runNode, startNode, type NodeSetup } from './engine';
import { startProcess } from './virtualWorld';
import { callsByRecipient, credentialFor } from './world';

const { simulator, calls, outputs } = useContacts();

describe('allowed hours', () => {
	test('are looked at again when the turn has come', async () => {
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
		expect(callsByRecipient(simulator())).toEqual({});
	});
});

test('a cancelled run ends while another is about to contact the same person', async () => {
	simulator().addFault({ kind: 'rateLimited', retryAfter: '500' });
	const start = () => startNode(calls([ada], { notAgainWithin: 24 }));
	const first = start();
	await until(() => simulator().requests.length === 1);
	const second = start();
	const ended: string[] = [];
	const isSecondOver = second.finished.then(() => ended.push('second'));
	const isFirstOver = first.finished.then(() => ended.push('first'));

	// By then it waits: nothing outside tells it.
	await new Promise((resolve) => setTimeout(resolve, 300));
	second.cancel();
	// Whoever waits for the first ends after it.
	await Promise.race([isSecondOver, new Promise((resolve) => setTimeout(resolve, 5_000))]);
	first.cancel();
	await Promise.all([isFirstOver, isSecondOver]);

	expect(ended).toEqual(['second', 'first']);
	expect(simulator().requests).toHaveLength(1);
});

describe('the zone of the number', () => {
	const GUAM_AND_SAMOA = ['Pacific/Guam', 'Pacific/Pago_Pago'];
	const inNewYork = { to: '+12125551234' };
	const tollFree = { to: '+18005551234' };
	const satellite = { to: '+870773111632' };
	// A Friday, 15:00 in New York and 21:00 in Berlin.
	const FRIDAY = Date.parse('2026-11-20T20:00:00Z');
	const rules = { allowedHours: 'Mon-Fri 09:00-18:00', timezoneFromNumber: true };

	const at = async (now: number, items: object[], more: object = {}) => {
		const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
		const output = await outputs(
			calls(
				items.map((one) => ({ ...ada, ...one })),
				{ ...rules, ...more },
			),
		);
		clock.mockRestore();
		return output;
	};

	test('says who is called, and when the others may be', async () => {
		const inBerlin = { to: '+493012345678' };

		const output = await at(FRIDAY, [inNewYork, inBerlin, tollFree, satellite]);

		expect(output).toMatchObject([
			{ result: 'placed' },
			{
				reason: 'outsideHours',
				notBefore: '2026-11-23T09:00:00+01:00',
				timezones: ['Europe/Berlin'],
			},
			// When the day begins in Guam, it has ended in Samoa.
			{
				reason: 'outsideHours',
				notBefore: null,
				timezones: expect.arrayContaining(GUAM_AND_SAMOA) as string[],
			},
			{ reason: 'outsideHours', notBefore: null, timezones: [] },
		]);
		expect(Object.keys(callsByRecipient(simulator()))).toEqual([inNewYork.to]);
	});
});

test('the list comes first, then the memory of contacts, then the hours', async () => {
	const closed = { ...closedHours(), notAgainWithin: 24 };
	await outputs(calls([ada, bob], { notAgainWithin: 24 }));

	const output = await outputs(calls([ada, bob, eve], { ...closed, doNotContact: ada.to }));

	expect(output.map(({ reason }) => reason)).toEqual([
		'doNotContact',
		'contactedRecently',
		'outsideHours',
	]);
	expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 1, [bob.to]: 1 });
});

test('a run that only checks goes by the contacts since n8n was started, and says so', async () => {
	const checkOnly = { credential: { ...credentialFor(simulator()), mode: 'checkOnly' } };
	const check = async (more: Partial<NodeSetup> = {}) => {
		const setup = calls([ada, bob], { notAgainWithin: 24 });
		const { items, run } = await runNode({ ...setup, ...checkOnly, ...more });
		const [hint] = run.data.resultData.runData['Assistant Service']?.[0]?.hints ?? [];
		expect(hint?.message).toContain('by the contacts since n8n was started');
		return items.map(({ json }) => json.reason ?? json.result);
	};
	expect(await check()).toEqual(['checked', 'checked']);

	await outputs(calls([ada], { notAgainWithin: 24 }));

	expect(await check()).toEqual(['contactedRecently', 'checked']);
	expect(await check({ type: startProcess() })).toEqual(['checked', 'checked']);
	expect(await outputs(calls([bob], { notAgainWithin: 24 }))).toMatchObject([{ result: 'placed' }]);
});

test('held-back items can be left out', async () => {
	const options = { doNotContact: bob.to, heldBackItems: 'leaveOut' };

	const { items } = await runNode(calls([ada, bob, eve], options));

	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
});

test('of more items than Max People, none is sent', async () => {
	const { error } = await runNode(calls([ada, bob, eve], { maxPeople: 2 }));

	expect(error?.context.details).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
	expect(simulator().requests).toEqual([]);
});

describe('a time zone of the workflow that this Node.js does not know', () => {
	const state = getGlobalState();
	beforeEach(() => {
		setGlobalState({ defaultTimezone: 'US/Nowhere' });
	});
	afterEach(() => {
		setGlobalState(state);
	});

	test('holds back whom it would decide on, and nobody else', async () => {
		const allDay = '00:00-24:00';
		const items = [
			{ ...ada, zone: 'UTC' },
			{ to: '+12125552368' },
			{ ...eve, zone: 'Europe/Berlin' },
		];
		const rules = { allowedHours: allDay, timezoneFromNumber: true, timezone: '={{ $json.zone }}' };
		expect(await outputs(calls([bob, eve], { allowedHours: allDay }))).toEqual(
			[bob, eve].map(({ to }) => ({
				toNumber: to,
				result: 'heldBack',
				reason: 'outsideHours',
				notBefore: null,
				timezones: [],
			})),
		);
		expect(simulator().requests).toEqual([]);
		expect(await outputs(calls(items, rules))).toMatchObject([
			{ result: 'placed' },
			{ result: 'placed' },
			{ result: 'placed' },
		]);
	});

	test('loses nothing of what was sent: times are told in UTC', async () => {
		const output = await outputs(calls([ada, ada, bob], { notAgainWithin: 24 }));

		expect(output).toMatchObject([
			{ result: 'placed' },
			{ reason: 'contactedRecently', notBefore: expect.stringMatching(/\+00:00$/) as string },
			{ result: 'placed' },
		]);
		expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 1, [bob.to]: 1 });
	});
});
