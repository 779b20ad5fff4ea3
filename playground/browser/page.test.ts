import axe, { type AxeResults } from 'axe-core';
import type { Browser, Locator, Page as Tab } from 'playwright-core';
import { ASSISTANT_ID, FROM_NUMBER, TO_NUMBER } from '../../test/simulator/seed';
import { clientOf, changed, good } from '../../test/simulator/testClient';
import { jsonOf, ownNode, runOneNode, useOpened, useWorld } from '../e2e/world';
import { outputOf } from '../executions';
import { startPage } from '../page/server';
import { OWNER, WEBHOOK_HEADER, webhookPath } from '../setup';
import { chain } from '../workflows';
import { launchChromium } from './chromium';

const CALL = {
	resource: 'call',
	operation: 'place',
	assistantId: ASSISTANT_ID,
	fromNumber: FROM_NUMBER,
	toNumber: TO_NUMBER,
};
const THEMES = ['light', 'dark'] as const;
/** What the browser says of an entry that is refused, and of a service that is gone. */
const EXPECTED = /status of 400|ERR_INTERNET_DISCONNECTED/;
/** More than there are places to stop at. */
const MAX_TABS = 200;

const world = useWorld();
const page = useOpened(
	async () => await startPage(world().simulator, { url: world().client.baseUrl, ...OWNER }),
	async ({ stop }) => {
		await stop();
	},
);
const browser = useOpened(launchChromium, async (opened: Browser) => {
	await opened.close();
});

let tab: Tab;
/** What went wrong in the page. */
const troubles: string[] = [];

async function open(colorScheme: (typeof THEMES)[number] = 'light'): Promise<void> {
	const context = await browser().newContext({ colorScheme });
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	tab = await context.newPage();
	tab.on('pageerror', ({ message }) => troubles.push(message));
	tab.on('console', (line) => {
		if (line.type() === 'error' && !EXPECTED.test(line.text())) troubles.push(line.text());
	});
	await tab.goto(page().url);
	await headline('request');
}

beforeEach(() => {
	world().simulator.setWebhooks([]);
	world().simulator.setCallDuration(undefined);
	troubles.length = 0;
});
afterEach(async () => {
	await tab.context().close();
	expect(troubles).toEqual([]);
});

const send = async (request: ReturnType<typeof good>) => await clientOf(world().simulator)(request);
const button = (name: string | RegExp): Locator => tab.getByRole('button', { name });
const field = (name: string): Locator => tab.getByLabel(name, { exact: true });
const section = (name: string): Locator => tab.getByRole('region', { name, exact: true });
const said = async (text: string | RegExp): Promise<void> => {
	await tab.getByRole('status').filter({ hasText: text }).waitFor();
};
const headline = async (text: string): Promise<void> => {
	await tab.locator('#headline').filter({ hasText: text }).waitFor();
};
const isFocused = async (target: Locator): Promise<boolean> =>
	(await target.and(tab.locator(':focus')).count()) === 1;

/** Waits until the focus is there. */
const focusOn = async (target: Locator): Promise<void> => {
	await target.and(tab.locator(':focus')).waitFor();
};

/** Goes there with the Tab key, as somebody without a mouse does. */
async function reach(target: Locator): Promise<void> {
	await target.first().waitFor();
	for (let tabs = 0; tabs < MAX_TABS; tabs++) {
		if (await isFocused(target)) return;
		await tab.keyboard.press('Tab');
	}
	throw new Error(`cannot reach ${String(target)} with the keyboard`);
}

async function press(name: string | RegExp): Promise<void> {
	await reach(button(name));
	await tab.keyboard.press('Enter');
}

async function enter(name: string, text: string): Promise<void> {
	await reach(field(name));
	await tab.keyboard.press('ControlOrMeta+a');
	await tab.keyboard.press('Delete');
	await tab.keyboard.type(text);
}

/** What axe finds on the page as it is. */
async function violations(): Promise<string[]> {
	await tab.evaluate(axe.source);
	const { violations: found } = await tab.evaluate<AxeResults>('axe.run()');
	return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

describe.each(THEMES)('by keyboard, %s', (theme) => {
	beforeEach(async () => {
		await open(theme);
	});

	it('a call that n8n has placed is ended, and the trigger hears of it on its test URL', async () => {
		const { client, secret } = world();
		const trigger = ownNode(
			world(),
			'assistantServiceTrigger',
			'Call Ended',
			{},
			{ typeVersion: 1.1 },
		);
		const workflow = await client.createWorkflow({ name: 'Page', ...chain(trigger) });
		const testPath = webhookPath(trigger).replace('/webhook/', '/webhook-test/');
		const last = await client.lastExecutionId();

		const [[placed] = []] = jsonOf(await runOneNode(world(), CALL));
		await headline('1 call rings');
		await client.listen(workflow.id, trigger.name);
		await client.waitForWebhook(testPath);

		await enter('URL', `${client.baseUrl}${testPath}`);
		await enter('Secret', ' ');
		await tab.keyboard.press('Enter');
		await said('Events go to this URL now, without a secret.');

		await press(`End call to ${TO_NUMBER}`);
		await enter('Summary', 'Booked for Monday.');
		await enter('Variables', 'day: Monday');
		await press(/^End call$/);
		await said(
			'The call has ended. ' + testPath + ': 401. Refused: the secret is missing or wrong.',
		);
		await focusOn(button(/^Send event again/));

		await enter('URL', `${client.baseUrl}${testPath}`);
		await enter('Secret', secret);
		await enter('Header Name', WEBHOOK_HEADER);
		await tab.keyboard.press('Enter');
		await said('Events go to this URL now, with the secret.');
		await press(/^Send event again/);
		await said('200. Accepted.');

		const [execution] = await client.finishedAfter(last, workflow.id, 1);
		if (!execution) throw new Error('No execution');
		expect(outputOf(execution, trigger.name)[0]?.[0]?.json).toMatchObject({
			callId: placed?.callId,
			summary: 'Booked for Monday.',
			variables: { day: 'Monday' },
		});
		expect(await section('Webhooks').textContent()).not.toContain(secret);
		await press(/^Send event again/);
		await said('404. Nobody listens there.');
		await press(/^Remove /);
		await said('Events do not go to this URL any more.');
		await focusOn(tab.getByRole('heading', { name: 'Webhooks' }));
	});

	it('a customer answers, and the clock closes the window', async () => {
		await send(good('sendMsgappTemplate'));
		await press(`Write as customer ${TO_NUMBER}`);
		await focusOn(field('Message'));
		await tab.keyboard.type('Monday, please.');
		await press('Send as customer');
		await said('The customer window is open for 24 hours.');
		const messages = section('Messages');
		await messages.getByText('Monday, please.').waitFor();
		await messages.getByText('Customer window open for 24 hours').waitFor();

		await enter('Hours', '24.5');
		await tab.keyboard.press('Enter');
		await said('It is 24.5 hours later at the service.');
		await messages.getByText('Customer window closed').first().waitFor();
		expect((await send(changed('continueMsgapp', { toNumber: TO_NUMBER }))).status).toBe(400);
	});

	it('the service refuses, and the node holds', async () => {
		await reach(field('What the service does'));
		await enter('Seconds', '0');
		await enter('Requests', '2');
		await press('Switch on');
		await said('Switched on: Refuses with 429 and Retry-After.');
		await section('Clock and faults').getByText('the next 2 requests').waitFor();

		const [[placed] = []] = jsonOf(await runOneNode(world(), CALL));
		expect(placed?.status).toBe('placed');
		await headline('1 call rings, 3 requests, 1 acted on, 1 person reached, nobody more than once');
		const statuses = section('Requests').locator('summary .badge');
		expect(await statuses.allTextContents()).toEqual(['201', '429', '429']);

		await reach(field('What the service does'));
		await tab.keyboard.type('Fails');
		await enter('Requests', '');
		await press('Switch on');
		await press('Switch off: Fails with 500');
		await said('The fault is switched off.');
		expect((await send(good('getPrompt'))).status).toBe(200);
	});

	it('the rest: copies, ends by itself, starts afresh, and says what is wrong', async () => {
		const clipboard = 'navigator.clipboard.readText()';
		await press('Copy Assistant ID: the assistant of a practice');
		await said('Copied: Assistant ID');
		expect(await tab.evaluate(clipboard)).toBe(ASSISTANT_ID);
		await reach(tab.getByText('Try a trigger of your own'));
		await tab.keyboard.press('Enter');
		await press('Copy command');
		await said('Copied: the command');
		expect(await tab.evaluate(clipboard)).toMatch(/^curl -X POST .*x-webhook-secret/s);

		await enter('Hours', 'many');
		await tab.keyboard.press('Enter');
		await tab.getByRole('alert').filter({ hasText: 'Hours: enter a number' }).waitFor();

		await enter('New calls end by themselves after (seconds)', '0.1');
		await tab.keyboard.press('Enter');
		await said('after 0.1 seconds');
		await send(good('placeCall'));
		await section('Calls').getByText('Ended').waitFor();

		await press('Start afresh');
		await tab.keyboard.press('Escape');
		await focusOn(button('Start afresh'));
		await tab.keyboard.press('Enter');
		await tab.getByRole('dialog').getByRole('button', { name: 'Start afresh' }).press('Enter');
		await said('The service is as at its start.');
		await section('Calls').getByText('No calls yet.').waitFor();
	});

	it('axe finds nothing, wide and narrow, full and in the dialogs', async () => {
		expect(await violations()).toEqual([]);
		for (const name of ['placeCall', 'startSms', 'continueMsgapp', 'createBulkCampaign'] as const) {
			await send(good(name));
		}
		world().simulator.customerReplies(TO_NUMBER, 'x'.repeat(300));
		world().simulator.setWebhooks([{ url: 'http://127.0.0.1:1/a-long-path/'.padEnd(200, 'x') }]);
		await world().simulator.deliverWebhook({ callId: '1' });
		world().simulator.addFault({ kind: 'rateLimited', retryAfter: '3' });
		await section('Clock and faults').getByText('every request').waitFor();
		for (const summary of await tab.locator('summary').all()) await summary.click();
		for (const width of [1280, 360]) {
			await tab.setViewportSize({ width, height: 800 });
			expect(await violations()).toEqual([]);
			expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
		}
		await button(`End call to ${TO_NUMBER}`).click();
		expect(await violations()).toEqual([]);
	});
});

describe('what arrives', () => {
	beforeEach(async () => {
		await open();
	});

	it('is never markup', async () => {
		const hostile = `<img src="x" onerror="document.title='taken'"><b>bold</b>`;
		await send(changed('startSms', { message: hostile, attributes: { customField1: hostile } }));
		await send(changed('createBulkCampaign', { name: hostile }));
		await send(changed('chat', { userIdentifier: hostile, question: hostile }));
		await send(changed('updatePrompt', { prompt: hostile }));
		await section('Campaigns').getByText(hostile).waitFor();
		await section('Messages').getByRole('heading', { name: hostile }).waitFor();
		await section('Knowledge and prompt').getByText(hostile).waitFor();
		expect(
			await tab
				.locator('main')
				.locator('img, b', { hasNotText: /^[A-Z]/ })
				.count(),
		).toBe(0);
		expect(await tab.title()).toBe('Simulated service');
	});

	it('leaves focus, what is typed, and what is open where they are', async () => {
		await send(changed('placeCall', { attributes: { customField1: 'Ada' } }));
		const fields = section('Calls').getByText('Custom fields');
		await fields.click();
		await reach(button('End call to'));
		await send(changed('placeCall', { toNumber: '+4915100000002' }));
		await headline('2 calls ring');
		expect(await isFocused(button(`End call to ${TO_NUMBER}`))).toBe(true);
		await section('Calls').getByText('"customField1": "Ada"').waitFor();

		await enter('Message', 'half a sent');
		await send(changed('placeCall', { toNumber: '+4915100000003' }));
		await headline('3 calls ring');
		await tab.keyboard.type('ence');
		expect(await field('Message').inputValue()).toBe('half a sentence');
	});

	it('shows no key', async () => {
		await send(good('getPrompt'));
		await headline('1 request');
		expect(await tab.content()).not.toContain(world().simulator.apiKey);
	});
});

it('says when the service is gone', async () => {
	await open();
	await tab.context().setOffline(true);
	await tab.getByRole('alert').filter({ hasText: 'Is npm start still running?' }).waitFor();
	await tab.context().setOffline(false);
	await tab.getByRole('alert').filter({ hasText: 'Is npm start' }).waitFor({ state: 'detached' });
});
