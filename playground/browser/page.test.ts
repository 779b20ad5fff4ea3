import { ASSISTANT_ID, TO_NUMBER } from '../../test/simulator/seed';
import { clientOf, changed, good } from '../../test/simulator/testClient';
import { PLACE_CALL } from '../e2e/calls';
import { createOneNode, createTrigger, jsonOf, runOneNode, START } from '../e2e/world';
import { TRIGGER, triggerNode, useOpened, useWorld } from '../e2e/world';
import { itemsOf } from '../executions';
import { besideOf } from '../page/beside';
import { startPage } from '../page/server';
import { testWebhookPath, WEBHOOK_HEADER } from '../setup';
import { chain } from '../workflows';
import { launchChromium } from './chromium';
import { picture } from './pictures';
import { THEMES, Visitor } from './visitor';

const world = useWorld(true);
const page = useOpened(async () => await startPage(world().simulator, await besideOf(world())));
const chromium = useOpened(launchChromium);

let visitor: Visitor | undefined;
const visit = async (theme?: (typeof THEMES)[number]): Promise<Visitor> =>
	(visitor = await Visitor.open(chromium().browser, page().url, theme));

beforeEach(() => {
	visitor = undefined;
	world().simulator.setWebhooks([]);
});
afterEach(async () => {
	await visitor?.leave();
	expect(visitor?.troubles).toEqual([]);
});

const [ADA, BOB, EVE] = ['+15550102011', '+15550102012', '+15550102013'] as const;

/** Calls the people of a list and waits for the ends of their calls; gives the ID of the execution. */
async function callAndWait(list: string, ...phones: string[]): Promise<string> {
	const parameters = { ...PLACE_CALL, operation: 'placeAndWait', contactRules: { list } };
	const items = phones.map((phone) => ({ phone }));
	const workflow = await createOneNode(world(), parameters, items);
	return await world().client.start(workflow.id, START);
}

/** A trigger of n8n that hears of the ends of calls; gives the ID of its workflow. */
async function hearEnds(): Promise<string> {
	const { simulator, secret } = world();
	const { url, workflowId } = await createTrigger(world(), {});
	simulator.setWebhooks([{ url, headers: { [WEBHOOK_HEADER]: secret } }]);
	return workflowId;
}

const send = async (request: ReturnType<typeof good>) => await clientOf(world().simulator)(request);

describe.each(THEMES)('by keyboard, %s', (theme) => {
	it('a call that n8n has placed is ended, and the trigger hears of it on its test URL', async () => {
		const visitor = await visit(theme);
		const { client, secret } = world();
		const trigger = triggerNode(world());
		const workflow = await client.createWorkflow({ name: 'Page', ...chain(trigger) });
		const testPath = testWebhookPath(trigger);
		const last = await client.lastExecutionId();

		const [[placed] = []] = jsonOf(
			await runOneNode(world(), { ...PLACE_CALL, toNumber: TO_NUMBER }),
		);
		await visitor.seesHeadline('1 call rings');
		await client.listen(workflow.id, TRIGGER);
		await client.waitForWebhook(testPath);

		const url = `${client.baseUrl}${testPath}`;
		await visitor.enters({ URL: url, Secret: secret, 'Header Name': WEBHOOK_HEADER });
		await visitor.tab.keyboard.press('Enter');
		await visitor.hears('Events go to this URL now, with the secret.');
		await visitor.presses(`End call to ${TO_NUMBER}`);
		await visitor.enters({ Summary: 'Booked for Monday.', Variables: 'day: Monday' });
		await visitor.presses(/^End call$/);
		await visitor.hears(`n8n took the event: ${workflow.name}.`);
		await visitor.isAt(visitor.button(/^Send event again/));

		const [execution] = await client.finishedAfter(last, workflow.id, 1);
		expect(execution && itemsOf(execution, TRIGGER)).toMatchObject([
			{ callId: placed?.callId, summary: 'Booked for Monday.', variables: { day: 'Monday' } },
		]);
		expect(await visitor.section('Webhooks').textContent()).not.toContain(secret);
		await visitor.presses(/^Send event again/);
		await visitor.hears('404. Nobody listens there.');
		await visitor.presses(/^Remove /);
		await visitor.hears('Events do not go to this URL any more.');
		await visitor.isAt(visitor.tab.getByRole('heading', { name: 'Webhooks' }));
	});

	it('every other form and button does what it says, and errors are told', async () => {
		const visitor = await visit(theme);
		const { keyboard } = visitor.tab;
		await send(good('sendMsgappTemplate'));
		await visitor.presses(`Write as customer ${TO_NUMBER}`);
		await visitor.isAt(visitor.field('Message'));
		await keyboard.type('Monday, please.');
		await visitor.presses('Send as customer');
		await visitor.hears('The customer window is open for 24 hours.');
		await visitor.sees('Messages', 'Monday, please.');

		await visitor.presses('Copy Assistant ID: the assistant of a practice');
		await visitor.hears('Copied: Assistant ID');
		expect(await visitor.tab.evaluate('navigator.clipboard.readText()')).toBe(ASSISTANT_ID);

		await visitor.enters({ Hours: 'many' });
		await keyboard.press('Enter');
		await visitor.tab.getByRole('alert').filter({ hasText: 'Hours: enter a number' }).waitFor();
		await visitor.enters({ Hours: '24.5' });
		await keyboard.press('Enter');
		await visitor.hears('It is 24.5 hours later at the service.');
		await visitor.sees('Messages', 'Customer window closed');

		await visitor.presses('A day passes');
		await visitor.hears('A day has passed');

		await visitor.reaches(visitor.field('What the service does'));
		await keyboard.type('Fails');
		await visitor.presses('Switch on');
		await visitor.hears('Switched on: Fails with 500.');
		await visitor.sees('Clock and faults', 'the next 2 requests');
		await visitor.presses('Switch off: Fails with 500');
		await visitor.hears('The fault is switched off.');
		await visitor.sees('Clock and faults', 'No faults');
	});

	it('an execution waits for calls, which are ended at once, and the contact book has them', async () => {
		const visitor = await visit(theme);
		const { tab } = visitor;
		const workflowId = await hearEnds();
		await send(changed('placeCall', { toNumber: ADA }));
		await visitor.presses(`End call to ${ADA}`);
		await visitor.presses(/^End call$/);
		await visitor.hears('n8n took the event');
		await send(changed('continueMsgapp', { message: 'See you on Monday.' }));
		const list = theme === 'light' ? 'Spring 2027' : 'Autumn 2027';
		const execution = await callAndWait(list, BOB, EVE);

		await visitor.seesHeadline('2 calls ring, 1 execution waits');
		await tab.getByText('4 requests, 4 acted on, 4 different people contacted').waitFor();
		const calls = visitor.section('Calls');
		await calls.getByRole('link', { name: `Execution ${execution}`, exact: true }).waitFor();
		const badges = calls.getByRole('listitem').locator('b');
		expect(await badges.allTextContents()).toEqual(['Waits', 'Rings', 'Rings', 'Ended']);
		for (const phone of [BOB, EVE]) await visitor.sees('Calls', phone);
		const book = visitor.section('Contact book').getByRole('listitem');
		const waiting = book.filter({ hasText: `execution ${execution} waits` });
		await waiting.nth(1).waitFor();
		await visitor.sees('Lists', '2 rings');
		expect(await visitor.violations()).toEqual([]);
		if (theme === 'light') {
			await tab.evaluate('scrollTo(0, 0); document.activeElement.blur(); said.textContent = ""');
			await picture('page', tab.locator('html'), { maxHeight: 900, colours: 64 });
		}

		await visitor.presses(`End all calls of execution ${execution}`);
		await visitor.hears('Calls that have ended: 2. n8n took the event: Trigger.');
		await visitor.isAt(calls.getByRole('heading'));
		await visitor.seesHeadline('0 calls ring, 0 executions wait');
		await calls.getByRole('button', { name: 'Send event again' }).nth(2).waitFor();
		for (const [index, phone] of [EVE, BOB].entries()) {
			const row = book.nth(index).filter({ hasText: phone });
			await row.getByText('Ended', { exact: true }).waitFor();
		}
		await world().client.stop(execution);
		await world().client.deactivate(workflowId);
	});

	it('axe finds nothing, wide and narrow, full and in the dialogs', async () => {
		const visitor = await visit(theme);
		const { simulator } = world();
		const { tab } = visitor;
		expect(await visitor.violations()).toEqual([]);
		for (const name of ['placeCall', 'startSms', 'continueMsgapp', 'createBulkCampaign'] as const)
			await send(good(name));
		simulator.customerReplies(TO_NUMBER, 'x'.repeat(300));
		simulator.setWebhooks([{ url: 'http://127.0.0.1:1/a-long-path/'.padEnd(200, 'x') }]);
		await simulator.deliverWebhook({ callId: '1' });
		simulator.addFault({ kind: 'rateLimited', retryAfter: '3' });
		await visitor.section('Clock and faults').getByText('every request', { exact: true }).waitFor();
		for (const summary of await tab.locator('summary:visible').all()) await summary.click();
		for (const width of [1280, 390, 360]) {
			await tab.setViewportSize({ width, height: 800 });
			expect(await visitor.violations()).toEqual([]);
			const widest = await tab.evaluate('document.documentElement.scrollWidth');
			expect(widest).toBeLessThanOrEqual(width);
		}
		await visitor.button(`End call to ${TO_NUMBER}`).click();
		expect(await visitor.violations()).toEqual([]);
	});
});

test('what arrives is never markup', async () => {
	const visitor = await visit();
	const { tab } = visitor;
	const hostile = `<img src="x" onerror="document.title='taken'"><b>bold</b>`;
	await send(changed('startSms', { message: hostile, attributes: { customField1: hostile } }));
	await send(changed('createBulkCampaign', { name: hostile }));
	await send(changed('updatePrompt', { prompt: hostile }));
	await send(changed('chat', { userIdentifier: hostile, question: hostile }));
	await visitor.sees('Messages', hostile);
	expect(await tab.locator('main img').count()).toBe(0);
	expect(await tab.locator('b', { hasText: 'bold' }).count()).toBe(0);
	expect(await tab.title()).toBe('Simulated service');
});
