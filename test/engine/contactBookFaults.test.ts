import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';

import { COLUMNS } from '../../nodes/shared/book/columns';
import { past, useBookWorld } from './contactBook';
import { ada, bob, CONTINUE, eve } from './contacts';
import { retryRun, runNode } from './engine';
import { useFastClock } from './fastClock';

useFastClock();
const { simulator, tables, calls, outputs, rows, add, edit, reached } = useBookWorld();

const RULES = { notAgainWithin: 24 };

describe('retries', () => {
	test('an own row is no contact of another, so Send Again works; a refusal makes it none', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });
		const failed = await runNode(calls([ada], RULES));
		simulator().addFault({ kind: 'status', status: 400, times: 1 });
		const sendAgain = calls([ada], RULES, {}, { ifOutcomeUnknown: 'sendAgain' });

		const refused = await retryRun(failed.run, sendAgain);
		const { items } = await retryRun(refused.run, sendAgain);

		expect(items.map(({ json }) => json)).toMatchObject([{ result: 'placed' }]);
		expect(rows().map(({ outcome }) => outcome)).toEqual(['unknown', 'notMade', 'accepted']);
	});

	test('after a run that went on, a list of its own reaches whom its text says to set to notMade', async () => {
		simulator().addFault({ kind: 'resetBefore', times: 1 });
		const alone = calls([ada], RULES, CONTINUE);

		const { hint } = await runNode(alone);
		expect(hint?.message).toContain('if they were sent, else to "notMade"');
		expect(await outputs(alone)).toMatchObject([{ reason: 'contactedRecently' }]);
		edit(0, { outcome: 'notMade' });
		expect(await outputs(alone)).toMatchObject([{ result: 'placed' }]);
	});

	test('that hold somebody back who may have been called do not say that nobody was reached', async () => {
		const optOut = { phone: ada.to, doNotContact: true };
		simulator().addFault({ kind: 'resetAfter', when: () => add(optOut) > 0, times: 1 });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

		const { hint, items } = await runNode(
			calls([ada], RULES, { settings }, { ifOutcomeUnknown: 'sendAgain' }),
		);

		expect(items.map(({ json }) => json)).toMatchObject([{ reason: 'doNotContact' }]);
		expect(hint?.message).toMatch(/^Of 1 item: 1 held back \(1 do not contact\)\.$/);
	});

	test('a row of another book is no own row, whatever its ID is', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });
		const failed = await runNode(calls([ada], RULES));
		tables()
			.createTable('Other', COLUMNS)
			.insert(past(60) as Record<string, string>);
		const credential = { contactBookTable: 'Other' };

		const again = await retryRun(
			failed.run,
			calls([ada], RULES, { credential }, { ifOutcomeUnknown: 'sendAgain' }),
		);

		expect(again.items.map(({ json }) => json)).toMatchObject([{ reason: 'contactedRecently' }]);
		expect(reached()).toEqual({ [ada.to]: 1 });
	});
});

test('of what was claimed ahead when the run stops, no row stands', async () => {
	simulator().addFault({ kind: 'status', status: 400, times: 1 });

	await runNode(calls([ada, bob, eve], {}, {}, { maxConcurrentRequests: 1 }));

	expect(rows().map(({ outcome }) => outcome)).toEqual(['notMade', 'notMade', 'notMade']);
});

test('a call is reported also if its row cannot be completed, and the log says so', async () => {
	tables().fail({ when: ({ method }) => method === 'PATCH' });
	const log = jest.spyOn(Container.get(Logger), 'warn');

	const { items } = await runNode(calls([ada]));

	expect(items.map(({ json }) => json)).toMatchObject([{ result: 'placed' }]);
	expect(rows()[0]).toMatchObject({ phone: ada.to, outcome: 'claimed' });
	expect(log.mock.calls.map(([line]) => line)).toEqual([
		expect.stringContaining('could not be written into the contact book'),
	]);
	log.mockRestore();
});

test('a NUL character, which PostgreSQL does not store, is left out of a row', async () => {
	await outputs(calls([ada], {}, {}, { reference: 'crm\u00001' }));

	expect(rows()).toMatchObject([{ reference: 'crm1', outcome: 'accepted' }]);
});

test('rows that n8n does not show count for nobody, and nothing is sent', async () => {
	tables().fail({
		when: ({ method, path }) => method === 'GET' && path.endsWith('/rows'),
		answer: { status: 200, body: { data: [], nextCursor: null } },
	});

	const output = await outputs(calls([ada], RULES, CONTINUE));

	expect(output).toMatchObject([{ details: { kind: 'stopped', outcome: 'notSent' } }]);
	expect(output[0]?.error).toContain('are gone');
	expect(new Set(rows().map(({ outcome }) => outcome))).toEqual(new Set(['notMade']));
	tables().clearFaults();
	expect(await outputs(calls([ada], RULES))).toMatchObject([{ result: 'placed' }]);
});
