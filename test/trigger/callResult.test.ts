import type { INodeParameters } from 'n8n-workflow';

import { formatWithZone, localTime } from '../../nodes/shared/rules/localTime';
import { useFastClock } from '../engine/fastClock';
import { CALL, jsonOf, ROW, useBookOfTrigger } from './bookOfTrigger';

useFastClock();
const OPTIONS = { reachedProperty: 'reached', callBackProperty: 'when.callBack' };
const { tables, rows, add, edit, start, deliver } = useBookOfTrigger(OPTIONS);

/** A time in so many hours, without fractions of a second. */
const inHours = (hours: number): number => Math.floor(Date.now() / 1_000 + hours * 3_600) * 1_000;

const iso = (time: number): string => new Date(time).toISOString();

const SOON = iso(inHours(48));
const LATER = iso(inHours(72));

/** What the columns of each row hold. */
const results = () => rows().map(({ reached, callBackAt }) => ({ reached, callBackAt }));

const none = { reached: null, callBackAt: null };

test('what the event says is put out and stands in the row, by one look and one change', async () => {
	const trigger = await deliver({ reached: 'Yes', when: { callBack: SOON } });

	expect(jsonOf(trigger)).toMatchObject([{ reached: true, callBackAt: SOON }]);
	expect(rows()).toMatchObject([{ summary: 'All is well', reached: 'yes', callBackAt: SOON }]);
	const methods = tables().requests.filter(({ path }) => path.includes('/rows'));
	expect(methods.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
	expect(trigger.log).toEqual([]);
});

test.each<[event: object, reached: boolean | null]>([
	[{ reached: false, transcript: 'Hello' }, false],
	[{ reached: true, transcript: '' }, true],
	...[null, '', ' \n', []].map((transcript): [object, boolean] => [{ transcript }, false]),
	[{ reached: ' ', transcript: null }, false],
	[{ reached: null, transcript: 'Hello' }, null],
	...['N/A', {}, [''], [[]], 0].map((transcript): [object, null] => [{ transcript }, null]),
	[{ transcript: undefined }, null],
])('of %j, reached is %p', async (event, reached) => {
	const trigger = await deliver(event);

	expect(jsonOf(trigger)).toMatchObject([{ reached }]);
	const written = reached === null ? null : reached ? 'yes' : 'no';
	expect(results()).toEqual([{ ...none, reached: written }]);
	expect(trigger.log).toEqual([]);
});

test.each<[property: string, event: object, said: RegExp]>([
	['reached', { reached: 'maybe', transcript: '' }, /"reached" .* yes or no, not "maybe"$/],
	['reached', { reached: ['yes'] }, /"reached" .* yes or no, not \["yes"\]/],
	['callBackAt', { when: { callBack: 'tomorrow' } }, /"when.callBack" .* not "tomorrow"/],
	['callBackAt', { when: { callBack: '2020-01-01T10:00Z' } }, /"when.callBack" .* not "2020-/],
	['callBackAt', { when: { callBack: '2999-01-01T10:00Z' } }, /"when.callBack" .* not "2999-/],
])('%s of %j is null, and the log says why', async (property, event, said) => {
	const trigger = await deliver(event);

	expect(jsonOf(trigger)).toMatchObject([{ [property]: null }]);
	expect(results()).toEqual([none]);
	expect(trigger.log).toEqual([expect.stringMatching(said)]);
});

test('a time without a zone goes by the clock of the workflow', async () => {
	// The zone of an n8n where nobody has set one.
	const zone = 'America/New_York';
	const time = inHours(100);
	const shown = formatWithZone(time, zone).slice(0, 19);

	const trigger = await deliver({ when: { callBack: shown } });

	expect(iso(time)).not.toContain(iso(localTime(time, zone).wall));
	expect(jsonOf(trigger)).toMatchObject([{ callBackAt: iso(time) }]);
});

test.each<INodeParameters>([{}, { reachedProperty: '', callBackProperty: ' ' }])(
	'with the options %j there is none of them',
	async (options) => {
		const event = { reached: 'yes', transcript: '' };

		const trigger = await deliver(event, [ROW], { options });

		const names = Object.keys(jsonOf(trigger)[0] ?? {});
		expect(names).not.toContainEqual(expect.stringMatching(/^(reached|callBackAt|optedOut)$/));
		expect(results()).toEqual([none]);
	},
);

test.each([
	['a credential', { authentication: 'none' }, {}],
	['a contact book', {}, { contactBook: false }],
	['a row', {}, {}],
])('without %s both are put out, and nothing is written', async (_, parameters, changes) => {
	const event = { reached: 'no', when: { callBack: SOON } };
	const rowsOfOthers = [{ ...ROW, contactId: 'call-2' }];

	const trigger = await deliver(event, rowsOfOthers, parameters, changes);

	expect(jsonOf(trigger)).toMatchObject([{ reached: false, callBackAt: SOON }]);
	expect(results()).toEqual([none]);
});

test.each<[operation: string | null, reached: string | null]>([
	['call.placeAndWait', 'yes'],
	[' Call.place', 'yes'],
	['campaign.createSingle', null],
	['callback', null],
	[null, null],
])('of a row with the operation %j, reached is %j', async (operation, reached) => {
	const event = { reached: 'yes', when: { callBack: SOON } };

	const trigger = await deliver(event, [{ ...ROW, operation }]);

	const callBackAt = reached && SOON;
	expect(rows()).toMatchObject([{ summary: 'All is well', reached, callBackAt }]);
	expect(trigger.log).toEqual([]);
});

const TIMES = { soon: SOON, later: LATER };

type Said = readonly [reached: string | null, callBack?: keyof typeof TIMES];

test.each<[before: Said, events: Said[], after: Said]>([
	[[null], [['no'], ['yes']], ['yes']],
	[[null], [['yes'], ['no']], ['yes']],
	[[null], [['no'], [null]], ['no']],
	[[null], [[null], ['no']], ['no']],
	[
		[null],
		[
			['yes', 'soon'],
			['yes', 'later'],
		],
		['yes', 'soon'],
	],
	[[null], [['no'], ['no', 'soon']], ['no', 'soon']],
	[[null], [['no', 'soon'], ['yes']], ['yes', 'soon']],
	[['Yes ', 'soon'], [['no', 'later']], ['Yes ', 'soon']],
	[['NO'], [['no']], ['NO']],
	[['No '], [['yes']], ['yes']],
	[['YES'], [['yes']], ['YES']],
	...['false', 'true', '1', '', 'perhaps'].map((text): [Said, Said[], Said] => [
		...([[text], [['no']], ['no']] as [Said, Said[], Said]),
	]),
	[['perhaps'], [[null]], ['perhaps']],
])('a row with %j has after the events %j: %j', async (before, events, after) => {
	const said = ([reached, callBack]: Said) => ({
		reached,
		callBackAt: callBack === undefined ? null : TIMES[callBack],
	});
	add({ ...ROW, ...said(before) });
	const trigger = await start();

	let endedAt: unknown;
	for (const event of events) {
		const { reached, callBackAt } = said(event);
		await trigger.post({ ...CALL, reached, when: { callBack: callBackAt } });
		endedAt ??= rows()[0]?.endedAt;
	}

	expect(results()).toEqual([said(after)]);
	expect(rows()).toMatchObject([{ endedAt }]);
	expect(trigger.log).toEqual([]);
});

const BOB = { phone: '+15550002000' };
const YES = { ...none, reached: 'yes' };
const BOTH = { ...YES, callBackAt: SOON };

test.each<[what: string, rows: object[], results: object[]]>([
	['the newest without an end', [{}, {}], [none, BOTH]],
	['one contact, added twice', [{ claim: 'a.1' }, { claim: 'a.1' }], [BOTH, BOTH]],
	['messages aside', [{}, { ...BOB, operation: 'sms.start' }], [BOTH, none]],
	['several people', [BOB, {}], [none, none]],
	['several people, also with an end', [{ ...BOB, endedAt: SOON }, {}], [none, none]],
	['several people, in a campaign, too', [{ ...BOB, operation: 'campaign.x' }, {}], [none, none]],
])('of several rows with the ID: %s', async (what, made, expected) => {
	const event = { reached: true, when: { callBack: SOON } };
	const all = made.map((row) => ({ ...ROW, ...row }));

	const trigger = await deliver(event, all);

	expect(results()).toEqual(expected);
	expect(rows().filter(({ summary }) => summary !== null)).not.toEqual([]);
	const warning = expect.stringMatching(/^The result of call "call-1" .*several people/) as unknown;
	expect(trigger.log).toEqual(what.startsWith('several') ? [warning] : []);
});

test('of one contact in two rows, nothing replaces yes', async () => {
	const claim = 'a.1';
	const ended = { endedAt: iso(inHours(-1)), reached: 'yes' };
	const twice = [ended, {}].map((more) => ({ ...ROW, claim, ...more }));

	await deliver({ reached: 'no' }, twice);

	expect(results()[0]).toEqual(YES);
});

test('no does not replace a yes that another process has just written', async () => {
	tables().holdAt((moment, { method }) => {
		const [row] = rows();
		if (moment === 'arrival' && method === 'PATCH' && row?.reached === null)
			edit(0, { reached: 'yes' });
		return undefined;
	});

	await deliver({ reached: 'no' });

	expect(results()).toEqual([YES]);
	// What else the event says is written all the same.
	expect(rows()[0]).toMatchObject({ endedAt: expect.any(String) as string });
});
