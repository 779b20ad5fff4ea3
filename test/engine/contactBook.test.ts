import type { IDataObject } from 'n8n-workflow';

import { minutesAgo, TABLE, useContactBook } from './contactBook';
import { ada, bob, closedHours, CONTINUE, eve } from './contacts';
import { retryRun, runNode } from './engine';
import { callsByRecipient } from './world';

const { simulator, tables, calls, outputs, rows, prepare, add } = useContactBook();

const HOURS = 60;
const DAYS = 24 * HOURS;

const past = (minutes: number, more: IDataObject = {}): IDataObject => ({
	phone: ada.to,
	contactedAt: minutesAgo(minutes),
	outcome: 'accepted',
	mode: 'live',
	...more,
});

const timeOf = (iso: unknown): number => (typeof iso === 'string' ? Date.parse(iso) : NaN);

/** Called with what the book holds when a request reaches the service. */
function atRequests(look: (held: IDataObject[]) => void): void {
	simulator().addFault({
		kind: 'delay',
		delayMs: 0,
		when: () => {
			look(rows());
			return false;
		},
	});
}

describe('one row a contact', () => {
	test('is in the book before the request goes out, and is completed after it', async () => {
		const seen: IDataObject[][] = [];
		atRequests((held) => seen.push(held));

		const options = { reference: 'crm-1', resumeUrl: 'https://n8n/resume' };
		const [json] = await outputs(calls([ada], {}, {}, options));

		expect(seen).toMatchObject([[{ phone: ada.to, outcome: 'claimed', contactId: null }]]);
		expect(rows()).toMatchObject([
			{
				phone: ada.to,
				operation: 'call.place',
				outcome: 'accepted',
				contactId: json?.callId,
				reference: 'crm-1',
				workflow: 'test',
				execution: expect.stringMatching(/^\d+$/) as string,
				mode: 'live',
				resumeUrl: 'https://n8n/resume',
				doNotContact: null,
				endedAt: null,
				summary: null,
			},
		]);
	});

	test('says unknown if no answer came, and notMade if the service did nothing', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });
		simulator().addFault({ kind: 'status', status: 400, times: 1 });

		const one = { maxConcurrentRequests: 1 };
		await outputs(calls([ada, bob, eve], {}, CONTINUE, one));

		expect(rows().map(({ phone, outcome }) => [phone, outcome])).toEqual([
			[ada.to, 'unknown'],
			[bob.to, 'notMade'],
			[eve.to, 'accepted'],
		]);
	});

	test('counts from its last request', async () => {
		const begun = Date.now();
		simulator().addFault({ kind: 'rateLimited', retryAfter: '1', times: 1 });

		await outputs(calls([ada]));

		expect(timeOf(rows()[0]?.contactedAt)).toBeGreaterThanOrEqual(begun + 900);
	});

	test('is not made for who is held back, nor for who is refused', async () => {
		await prepare();
		add(past(HOURS));

		await outputs(calls([ada, { to: '0151' }], { notAgainWithin: 24 }, CONTINUE));

		expect(rows()).toHaveLength(2);
	});

	test('a number is written with + and digits', async () => {
		await outputs(calls([{ to: '0049 151 1234567' }]));

		expect(rows()).toMatchObject([{ phone: '+491511234567' }]);
	});
});

describe('contacts of all workflows count', () => {
	test.each([
		['accepted', past(HOURS)],
		['unknown', past(HOURS, { outcome: 'unknown' })],
		['a claim of more than ten minutes ago', past(11, { outcome: 'claimed' })],
		['something that a person wrote', past(HOURS, { outcome: 'by hand' })],
	])('%s', async (_, row) => {
		await prepare();
		add(row);

		const [json] = await outputs(calls([ada], { notAgainWithin: 24 }));

		const until = Math.ceil((timeOf(row.contactedAt) + 24 * HOURS * 60_000) / 1_000);
		expect(json).toMatchObject({
			toNumber: ada.to,
			result: 'heldBack',
			reason: 'contactedRecently',
		});
		expect(timeOf(json?.notBefore)).toBe(until * 1_000);
		expect(simulator().requests).toHaveLength(1);
	});

	test.each([
		['one that was not made', past(HOURS, { outcome: 'notMade' })],
		['one of another mode', past(HOURS, { mode: 'redirect' })],
		['one that is too long ago', past(25 * HOURS)],
		['a row without an outcome', past(HOURS, { outcome: null })],
	])('but not %s', async (_, row) => {
		await prepare();
		add(row);

		expect(await outputs(calls([ada], { notAgainWithin: 24 }))).toMatchObject([
			{ result: 'placed' },
		]);
	});

	test('twice in one run is held back, unless the first was refused', async () => {
		simulator().addFault({ kind: 'status', status: 400, times: 1 });

		const output = await outputs(calls([ada, ada, ada], { notAgainWithin: 24 }, CONTINUE));

		expect(output).toMatchObject([
			{ details: { outcome: 'refused' } },
			{ result: 'placed' },
			{ reason: 'contactedRecently' },
		]);
	});

	test('calls 5 people once each in 50 executions at the same moment', async () => {
		const people = [ada, bob, eve, { to: '+15550002000' }, { to: '+15550002001' }];
		const runs = await Promise.all(
			Array.from({ length: 50 }, async (_, index) => {
				const person = people[index % people.length] ?? ada;
				return await outputs(
					calls([person], { notAgainWithin: 24 }, { nodeId: `node ${index % 7}` }),
				);
			}),
		);

		expect(runs.flat().filter(({ result }) => result === 'placed')).toHaveLength(5);
		expect(Object.values(callsByRecipient(simulator()))).toEqual([1, 1, 1, 1, 1]);
	});
});

describe('at most so many contacts', () => {
	const RULES = { atMostContacts: 2, atMostDays: 7 };

	test('holds back until the oldest of them is too long ago', async () => {
		await prepare();
		add(past(5 * DAYS));
		const second = past(3 * DAYS);
		add(second);
		add(past(1 * DAYS));

		const [json] = await outputs(calls([ada], RULES));

		expect(json).toMatchObject({ result: 'heldBack', reason: 'contactedOften' });
		const until = timeOf(second.contactedAt) + 7 * DAYS * 60_000;
		expect(timeOf(json?.notBefore)).toBe(Math.ceil(until / 1_000) * 1_000);
	});

	test('counts what is within the days alone', async () => {
		await prepare();
		add(past(8 * DAYS));
		add(past(1 * DAYS));

		const output = await outputs(calls([ada, ada], RULES));

		expect(output).toMatchObject([{ result: 'placed' }, { reason: 'contactedOften' }]);
	});

	test('comes after Not Again Within and before the hours', async () => {
		await prepare();
		add(past(HOURS));
		const often = { atMostContacts: 1, ...closedHours() };

		expect(await outputs(calls([ada], { ...often, notAgainWithin: 2 }))).toMatchObject([
			{ reason: 'contactedRecently' },
		]);
		expect(await outputs(calls([ada], often))).toMatchObject([{ reason: 'contactedOften' }]);
	});

	test('needs the book', async () => {
		const setup = calls([ada], RULES, CONTINUE);
		const { items } = await runNode({
			...setup,
			parameters: { ...setup.parameters, useContactBook: false },
		});

		expect(items[0]?.json).toMatchObject({
			error: expect.stringContaining('Use Contact Book') as string,
			details: { kind: 'invalidInput', outcome: 'notSent' },
		});
		expect(simulator().requests).toEqual([]);
	});
});

describe('a row with doNotContact', () => {
	test.each(['+15550001000', '0015550001000', '15550001000', '+1 (555) 000-1000'])(
		'holds back %s, in every mode',
		async (phone) => {
			await prepare();
			add({ phone, doNotContact: true });
			const { baseUrl, apiKey, workspaceId } = simulator();
			const service = { baseUrl, apiKey, workspaceId };
			const redirect = { ...service, mode: 'redirect', testNumber: '+15550009999' };

			const held = { result: 'heldBack', reason: 'doNotContact', notBefore: null };
			expect(await outputs(calls([ada]))).toMatchObject([held]);
			expect(await outputs(calls([ada], {}, { credential: redirect }))).toMatchObject([held]);
			const checked = { credential: { ...service, mode: 'checkOnly' } };
			expect(await outputs(calls([ada], {}, checked))).toMatchObject([held]);
		},
	);

	test('is known as soon as it is there, and no longer when it is gone', async () => {
		await outputs(calls([bob]));
		const row = add({ phone: ada.to, doNotContact: true });
		expect(await outputs(calls([ada]))).toMatchObject([{ reason: 'doNotContact' }]);

		const other = add({ phone: eve.to, doNotContact: true });
		tables().table(TABLE).edit(row, { doNotContact: false });
		expect(await outputs(calls([ada, eve]))).toMatchObject([
			{ result: 'placed' },
			{ reason: 'doNotContact' },
		]);

		tables().table(TABLE).delete(other);
		expect(await outputs(calls([eve]))).toMatchObject([{ result: 'placed' }]);
	});

	test('fails all items and is named if it cannot be read; a blank one names nobody', async () => {
		await prepare();
		add({ phone: ' ', doNotContact: true });
		expect(await outputs(calls([ada]))).toMatchObject([{ result: 'placed' }]);

		const row = add({ phone: '0151 234', doNotContact: true });
		const [json] = await outputs(calls([bob], {}, CONTINUE));

		expect(json).toMatchObject({ details: { kind: 'invalidInput', outcome: 'notSent' } });
		expect(json?.error).toContain(`row ${row}: "0151 234" has no country code`);
		expect(callsByRecipient(simulator())[bob.to]).toBeUndefined();
	});
});

describe('Check Only', () => {
	test('makes no table', async () => {
		const { baseUrl, apiKey, workspaceId } = simulator();
		const credential = { baseUrl, apiKey, workspaceId, mode: 'checkOnly' };

		expect(await outputs(calls([ada], { notAgainWithin: 24 }, { credential }))).toMatchObject([
			{ result: 'checked' },
		]);
		expect(tables().hasTable(TABLE)).toBe(false);
	});

	test('reads the rows of Live and writes nothing', async () => {
		await prepare();
		add(past(HOURS));
		const before = rows();
		const { baseUrl, apiKey, workspaceId } = simulator();
		const credential = { baseUrl, apiKey, workspaceId, mode: 'checkOnly' };

		const output = await outputs(calls([ada, bob], { notAgainWithin: 24 }, { credential }));

		expect(output).toMatchObject([{ reason: 'contactedRecently' }, { result: 'checked' }]);
		expect(rows()).toEqual(before);
	});
});

describe('retries', () => {
	const RULES = { notAgainWithin: 24 };

	test('an own row is no contact of another, so Send Again works', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });
		const failed = await runNode(calls([ada], RULES));
		expect(rows()).toMatchObject([{ outcome: 'unknown' }]);

		const again = await retryRun(
			failed.run,
			calls([ada], RULES, {}, { ifOutcomeUnknown: 'sendAgain' }),
		);

		expect(again.items.map(({ json }) => json)).toMatchObject([{ result: 'placed' }]);
		expect(rows()).toMatchObject([{ outcome: 'unknown' }, { outcome: 'accepted' }]);
	});

	test('who was accepted is not sent again, and has one row', async () => {
		simulator().addFault({
			kind: 'status',
			status: 400,
			times: 1,
			when: ({ rawBody }) => rawBody.includes(bob.to),
		});
		const failed = await runNode(calls([ada, bob], RULES, {}, { maxConcurrentRequests: 1 }));

		const again = await retryRun(failed.run, calls([ada, bob], RULES));

		expect(again.items.map(({ json }) => json)).toMatchObject([
			{ result: 'placed' },
			{ result: 'placed' },
		]);
		expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 1, [bob.to]: 1 });
		expect(rows().map(({ phone, outcome }) => [phone, outcome])).toEqual([
			[ada.to, 'accepted'],
			[bob.to, 'notMade'],
			[bob.to, 'accepted'],
		]);
	});
});

describe('a claim of another process', () => {
	const RULES = { notAgainWithin: 24 };
	const claim = (): number => add(past(0, { outcome: 'claimed' }));

	test('is waited for, and holds back if it became a contact', async () => {
		await prepare();
		const row = claim();
		const running = outputs(calls([ada, bob], RULES));
		await new Promise((resolve) => setTimeout(resolve, 400));
		expect(callsByRecipient(simulator())).toMatchObject({ [bob.to]: 1 });

		tables().table(TABLE).edit(row, { outcome: 'accepted' });

		expect(await running).toMatchObject([{ reason: 'contactedRecently' }, { result: 'placed' }]);
	});

	test('is waited for, and lets through if it was not made', async () => {
		await prepare();
		const row = claim();
		const running = outputs(calls([ada], RULES));
		await new Promise((resolve) => setTimeout(resolve, 400));
		tables().table(TABLE).edit(row, { outcome: 'notMade' });

		expect(await running).toMatchObject([{ result: 'placed' }]);
	});

	test('counts as a contact after Max Wait', async () => {
		await prepare();
		claim();

		const [json] = await outputs(calls([ada], RULES, {}, { maxWait: 1 }));

		expect(json).toMatchObject({ result: 'heldBack', reason: 'contactedRecently' });
	});

	test('does not matter if no rule limits how often', async () => {
		await prepare();
		claim();

		expect(await outputs(calls([ada]))).toMatchObject([{ result: 'placed' }]);
	});
});

describe('nothing is sent', () => {
	test.each([
		['the key is wrong', () => ({ apiKey: 'wrong' }), 'does not accept the API key'],
		['nobody answers there', () => ({ baseUrl: 'http://127.0.0.1:1' }), 'cannot be reached'],
		[
			'the key lacks a scope',
			() => ({ apiKey: tables().keyWithout('dataTableRow:create') }),
			'lacks the scope dataTableRow:create',
		],
		['the address is no address', () => ({ baseUrl: 'n8n' }), 'Base URL'],
		['it is another server', () => ({ baseUrl: simulator().baseUrl }), 'Data Table'],
	])('if %s', async (_, change, message) => {
		const { baseUrl, apiKey } = tables();
		const book = { baseUrl, apiKey, table: TABLE, ...change() };

		const output = await outputs(calls([ada, bob], {}, { book, ...CONTINUE }));

		for (const json of output) {
			expect(json).toMatchObject({ details: { kind: 'stopped', outcome: 'notSent' } });
			expect(json.error).toContain(message);
		}
		expect(simulator().processed('placeCall')).toEqual([]);
	});

	test.each(['arrival', 'commit', 'answer'] as const)(
		'if an insert is lost at its %s; no row holds anybody back',
		async (at) => {
			await prepare();
			tables().fail({
				when: ({ method, path }) => method === 'POST' && path.endsWith('/rows'),
				at,
				times: 3,
			});

			const output = await outputs(calls([ada], { notAgainWithin: 24 }, CONTINUE));

			expect(output).toMatchObject([{ details: { kind: 'stopped', outcome: 'notSent' } }]);
			expect(
				rows().filter(({ phone, outcome }) => phone === ada.to && outcome !== 'notMade'),
			).toEqual([]);
			expect(await outputs(calls([ada], { notAgainWithin: 24 }))).toMatchObject([
				{ result: 'placed' },
			]);
		},
	);

	test('of what was claimed ahead when the run stops, no row stands', async () => {
		simulator().addFault({ kind: 'status', status: 400, times: 1 });

		await runNode(calls([ada, bob, eve], {}, {}, { maxConcurrentRequests: 1 }));

		expect(rows().map(({ outcome }) => outcome)).toEqual(['notMade', 'notMade', 'notMade']);
	});
});

test('a call is reported also if its row cannot be completed, and the run says so', async () => {
	await prepare();
	tables().fail({ when: ({ method }) => method === 'PATCH' });

	const { items, run } = await runNode(calls([ada]));

	expect(items.map(({ json }) => json)).toMatchObject([{ result: 'placed' }]);
	expect(rows()[1]).toMatchObject({ phone: ada.to, outcome: 'claimed' });
	expect(JSON.stringify(run.data.resultData.runData)).toContain(
		'could not be written into the contact book',
	);
});

test('the key of the book appears nowhere in what a failed run leaves', async () => {
	const { apiKey } = tables();
	tables().fail({ answer: { status: 500, body: { message: `failed for ${apiKey}` } } });

	const { run } = await runNode(calls([ada]));

	expect(JSON.stringify(run.data.resultData)).not.toContain(apiKey);
});
