import { ASSISTANT_ID, TO_NUMBER } from '../../test/simulator/seed';
import { changed, clientOf, good, type ClientRequest } from '../../test/simulator/testClient';
import { PLACE_CALL } from '../e2e/calls';
import { useExampleBook } from '../e2e/contactBook';
import { createOneNode, createTrigger, runOneNode, START, TRIGGER } from '../e2e/world';
import { useOpened, useWorld } from '../e2e/world';
import { besideOf } from '../page/beside';
import { startPage } from '../page/server';
import { WEBHOOK_HEADER } from '../setup';
import { launchChromium } from './chromium';
import { picture } from './pictures';
import { THEMES, Visitor, type Theme } from './visitor';

const world = useWorld(true);
useExampleBook(world);
const page = useOpened(async () => await startPage(world().simulator, await besideOf(world())));
const chromium = useOpened(launchChromium);

/** Makes a test of the page in each theme. */
const onPage = (name: string, run: (visitor: Visitor, theme: Theme) => Promise<void>): void => {
	it.each(THEMES)(`${name}, %s`, async (theme) => {
		world().simulator.setWebhooks([]);
		const visitor = await Visitor.open(chromium().browser, page().url, theme);
		await run(visitor, theme);
		await visitor.tab.context().close();
		expect(visitor.troubles).toEqual([]);
	});
};

const send = async (request: ClientRequest) => await clientOf(world().simulator)(request);

const [ADA, BOB, EVE] = ['+15550102011', '+15550102012', '+15550102013'] as const;

onPage('calls are ended by keyboard, and n8n hears of it', async (visitor, theme) => {
	const { client, simulator, secret } = world();
	const { tab } = visitor;
	const { url, workflowId, outputOf } = await createTrigger(world(), {});
	await runOneNode(world(), PLACE_CALL, [{ phone: ADA }]);
	await visitor.hears('1 call rings');
	await visitor.enters({ URL: url.replace('/webhook/', '/webhook-test/'), Secret: secret });
	await visitor.presses('Add URL', 'Events go to this URL now, with the secret.');
	expect(await visitor.section('Webhooks').textContent()).not.toContain(secret);
	await visitor.presses(`End call to ${ADA}`);
	await visitor.enters({ Summary: 'Booked for Monday.', Variables: 'day: Monday' });
	await visitor.presses(/^End call$/, '404. Nobody listens there.');
	await visitor.isAt(visitor.button(/^Send event again/));
	await client.listen(workflowId, TRIGGER);
	await visitor.presses(/^Send event again/, 'n8n took the event: Trigger.');
	const [execution] = await client.finishedAfter('0', workflowId, 1);
	expect(execution && outputOf(execution)).toMatchObject([
		{ summary: 'Booked for Monday.', variables: { day: 'Monday' } },
	]);
	await visitor.presses(/^Remove /, 'Events do not go to this URL any more.');
	await visitor.isAt(tab.getByRole('heading', { name: 'Webhooks' }));

	simulator.setWebhooks([{ url, headers: { [WEBHOOK_HEADER]: secret } }]);
	const contactRules = { list: 'Spring 2027' };
	const parameters = { ...PLACE_CALL, operation: 'placeAndWait', contactRules };
	const { id } = await createOneNode(world(), parameters, [{ phone: BOB }, { phone: EVE }]);
	const waiting = await client.start(id, START);
	await visitor.hears('2 calls ring, 1 execution waits');
	await tab.getByText('3 requests, 3 acted on, 3 different people contacted').waitFor();
	const calls = visitor.section('Calls');
	await calls.getByRole('link', { name: `Execution ${waiting}`, exact: true }).waitFor();
	const titles = ['Assistant Service', BOB, EVE, ADA];
	expect(await calls.locator('strong').allTextContents()).toEqual(titles);
	const badges = calls.getByRole('listitem').locator('b');
	expect(await badges.allTextContents()).toEqual(['Waits', 'Rings', 'Rings', 'Ended']);
	const contacts = visitor.section('Contact book').getByRole('listitem');
	await contacts.getByText(`execution ${waiting} waits`).nth(1).waitFor();
	await visitor.sees('Lists', '2 rings');
	expect(await visitor.violations()).toEqual([]);
	if (theme === 'light') {
		await tab.evaluate('scrollTo(0, 0); document.activeElement.blur(); said.textContent = ""');
		await picture('page', tab.locator('html'), { maxHeight: 900, colours: 64 });
	}

	const ended = 'Calls that have ended: 2. n8n took the event: Trigger.';
	await visitor.presses(`End all calls of execution ${waiting}`, ended);
	await visitor.isAt(calls.getByRole('heading'));
	await visitor.hears('0 calls ring, 0 executions wait');
	await calls.getByRole('button', { name: 'Send event again' }).nth(2).waitFor();
	await contacts.getByText('Ended', { exact: true }).nth(2).waitFor();
	expect(await contacts.locator('strong').allTextContents()).toEqual([EVE, BOB, ADA]);
	await client.stop(waiting);
	await client.deactivate(workflowId);
});

onPage('every other form and button does what it says by keyboard', async (visitor) => {
	const { keyboard } = visitor.tab;
	await send(good('sendMsgappTemplate'));
	await visitor.presses(`Write as customer ${TO_NUMBER}`);
	await visitor.isAt(visitor.field('Message'));
	await keyboard.type('Monday, please.');
	await visitor.presses('Send as customer', 'The customer window is open for 24 hours.');
	await visitor.sees('Messages', 'Monday, please.');

	await visitor.presses('Copy Assistant ID: the assistant of a practice', 'Copied: Assistant ID');
	expect(await visitor.tab.evaluate('navigator.clipboard.readText()')).toBe(ASSISTANT_ID);

	await visitor.enters({ Hours: 'many' });
	await keyboard.press('Enter');
	await visitor.tab.getByRole('alert').filter({ hasText: 'Hours: enter a number' }).waitFor();
	await visitor.enters({ Hours: '24.5' });
	await visitor.presses('Move the clock', 'It is 24.5 hours later at the service.');
	await visitor.sees('Messages', 'Customer window closed');
	await visitor.presses('A day passes', 'A day has passed');

	await visitor.reaches(visitor.field('What the service does'));
	await keyboard.type('Fails');
	await visitor.presses('Switch on', 'Switched on: Fails with 500.');
	await visitor.sees('Clock and faults', 'the next 2 requests');
	await visitor.presses('Switch off: Fails with 500', 'The fault is switched off.');
	await visitor.sees('Clock and faults', 'No faults');
});

onPage('what arrives is never markup, and axe finds nothing, wide and narrow', async (visitor) => {
	const { simulator } = world();
	const { tab } = visitor;
	expect(await visitor.violations()).toEqual([]);
	const hostile = `<img src="x" onerror="document.title='taken'"><b>bold</b>`;
	for (const request of [
		good('placeCall'),
		changed('startSms', { message: hostile, attributes: { customField1: hostile } }),
		changed('continueMsgapp', { message: hostile }),
		changed('createBulkCampaign', { name: hostile }),
		changed('updatePrompt', { prompt: hostile }),
		changed('chat', { userIdentifier: hostile, question: hostile }),
	])
		await send(request);
	simulator.customerReplies(TO_NUMBER, 'x'.repeat(300));
	simulator.setWebhooks([{ url: 'http://127.0.0.1:1/a-long-path/'.padEnd(200, 'x') }]);
	await simulator.deliverWebhook({ callId: hostile });
	simulator.addFault({ kind: 'rateLimited', retryAfter: '3' });
	await visitor.section('Clock and faults').getByText('every request', { exact: true }).waitFor();
	await visitor.sees('Messages', hostile);
	expect(await tab.locator('main img').count()).toBe(0);
	expect(await tab.locator('b', { hasText: 'bold' }).count()).toBe(0);
	expect(await tab.title()).toBe('Simulated service');
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
