import { jsonOf, ROW, useBookOfTrigger } from './bookOfTrigger';

const { tables, rows, add, start, deliver } = useBookOfTrigger({ optOutProperty: 'optOut' });

/** What is written for the contact of that row. */
const { phone, reference, contactedAt } = ROW;
const OPT_OUT = { doNotContact: true, phone, reference, contactedAt };

const optOuts = () => rows().filter(({ doNotContact }) => doNotContact);

test.each([true, ' yes '])('%j opts the contact out', async (optOut) => {
	const trigger = await deliver({ optOut });

	expect(jsonOf(trigger)).toMatchObject([
		{ optedOut: true, contact: { phone: ROW.phone }, variables: { optOut } },
	]);
	expect(rows()).toMatchObject([
		{ ...ROW, doNotContact: null, endedAt: expect.stringMatching(/./) as unknown },
		{ ...OPT_OUT, outcome: null, mode: null, contactId: null, endedAt: null },
	]);
	expect(trigger.log).toEqual([]);
});

test.each(['maybe', 'x'.repeat(1_000)])(
	'%j is neither, and is named in the log',
	async (optOut) => {
		const trigger = await deliver({ optOut });

		expect(jsonOf(trigger)).toMatchObject([{ optedOut: false, contact: { phone: ROW.phone } }]);
		expect(optOuts()).toEqual([]);
		expect(trigger.log).toHaveLength(1);
		const said = `"optOut" of call "${ROW.contactId}" must say yes or no, not ${JSON.stringify(optOut)}`;
		expect(trigger.log[0]).toContain(said.slice(0, 90));
		expect(trigger.log[0]).toContain('. If the person wants no more contact, add a row');
		expect(trigger.log[0]?.length).toBeLessThan(300);
	},
);

describe('of a property that no event has, the log says so', () => {
	const post = async (trigger: Awaited<ReturnType<typeof start>>, times: number, body: object) => {
		for (let time = 0; time < times; time++) await trigger.post({ transcript: 'Hi', ...body });
	};
	const startOpen = async (option = 'optOutProperty') =>
		await start({ authentication: 'none', options: { [option]: 'optOut' } });

	test.each([
		['optOutProperty', 'Opt-Out Property'],
		['reachedProperty', 'Reached Property'],
	])('once, after a hundred events: %s', async (option, label) => {
		const trigger = await startOpen(option);

		await post(trigger, 99, { OptOut: 'yes', analysis: { optOut: 'yes' } });
		expect(trigger.log).toEqual([]);
		await post(trigger, 102, {});

		const text = `last 100 events of "Trigger" had its ${label} "optOut".`;
		expect(trigger.log).toEqual([expect.stringContaining(text)]);
	});

	test('but not of a call back, which few people want', async () => {
		const trigger = await startOpen('callBackProperty');

		await post(trigger, 101, {});

		expect(trigger.log).toEqual([]);
	});

	test.each([null, '', 'no'])('but not if one of them had it, as %j', async (optOut) => {
		const trigger = await startOpen();

		await post(trigger, 60, {});
		await post(trigger, 1, { optOut });
		await post(trigger, 99, {});

		expect(trigger.log).toEqual([]);
	});
});

test.each(['+15550001000', '001 (555) 000-1000', '1 555 000 1000', '0555 0001000'])(
	'who has a row as %s gets no second one',
	async (phone) => {
		const trigger = await deliver({ optOut: true }, [ROW, { phone, doNotContact: true }]);

		expect(jsonOf(trigger)).toMatchObject([{ optedOut: true }]);
		expect(optOuts()).toHaveLength(1);
	},
);

test.each([
	['001 555 000 1000', phone],
	['(555) 000-1000', '5550001000'],
])(
	'if somebody has edited the number of a call to %s, it is written as %s',
	async (edited, read) => {
		const row = { ...ROW, phone: edited, contactedAt: null };

		const trigger = await deliver({ optOut: true, summary: null }, [row]);
		await trigger.post({ callId: 'call-1', optOut: true, summary: 'Once more' });

		expect(optOuts()).toMatchObject([{ ...OPT_OUT, phone: read, contactedAt: null }]);
	},
);

test('calls of a person that end at once add one row', async () => {
	const ids = ['call-1', 'call-2', 'call-3', 'call-4'];
	add(...['another', ...ids].map((contactId) => ({ ...ROW, contactId })));
	const trigger = await start();

	// While it is looked up, the others come together.
	const first = trigger.post({ callId: 'another' });
	await Promise.all(ids.map(async (callId) => await trigger.post({ callId, optOut: 'yes' })));
	await first;

	const optedOut = jsonOf(trigger).map((json) => json.optedOut);
	expect(optedOut.sort()).toEqual([null, true, true, true, true].sort());
	expect(optOuts()).toHaveLength(1);
});

const NOT_FOUND = /contact of this call was not found/;

describe('false if the row could not be written, and the log says why', () => {
	const check = (trigger: Awaited<ReturnType<typeof deliver>>, warning: RegExp): void => {
		expect(jsonOf(trigger)).toMatchObject([{ optedOut: false }]);
		expect(optOuts()).toEqual([]);
		const lines = trigger.log.filter((text) => text.startsWith('The opt-out of '));
		expect(lines).toEqual([expect.stringMatching(warning)]);
	};

	test.each([
		['the contact is not found', { contactId: 'call-2' }, {}, NOT_FOUND],
		['the event has no call ID', {}, { callId: null }, /of call null .*contact of this call/],
		['the test number was called', { mode: ' Redirect' }, {}, /"call-1" .*test number/],
		['the number cannot be read', { phone: 'nobody' }, {}, /"nobody"/],
		['there is no number', { phone: null }, {}, /phone number/],
	])('%s', async (_, row, event, warning) => {
		check(await deliver({ optOut: true, ...event }, [{ ...ROW, ...row }]), warning);
	});

	test.each([
		['there is no contact book', {}, { contactBook: false }],
		['the book is away', {}, { n8nUrl: 'http://127.0.0.1:1' }],
		['there is no credential', { authentication: 'none' }, {}],
	])('%s', async (_, parameters, changes) => {
		check(await deliver({ optOut: true }, [ROW], parameters, changes), NOT_FOUND);
	});

	test('the row of the call is completed all the same', async () => {
		tables().fail({ when: ({ method }) => method === 'POST', answer: { status: 500 } });
		check(await deliver({ optOut: true }), /HTTP 500/);

		expect(rows()[0]?.endedAt).not.toBeNull();
	});

	test('a row of the call that cannot be completed is no reason', async () => {
		tables().fail({ when: ({ method }) => method === 'PATCH', answer: { status: 500 } });

		const trigger = await deliver({ optOut: true });

		expect(jsonOf(trigger)).toMatchObject([{ optedOut: true, contact: { phone: ROW.phone } }]);
		expect(optOuts()).toMatchObject([OPT_OUT]);
	});
});
