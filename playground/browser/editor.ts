import type { INode } from 'n8n-workflow';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { selectors, type Locator, type Page } from 'playwright-core';
import { useOpened, type World } from '../e2e/world';
import type { SavedWorkflow } from '../restTypes';
import { OWNER } from '../setup';
import { nodeOf } from '../workflows';
import { launchChromium, SHOWN_WITHIN_MS } from './chromium';
import { PIXEL_RATIO } from './pictures';

selectors.setTestIdAttribute('data-test-id');

const FAILED = path.join(__dirname, '..', '.state', 'browser-failed');
/** A workflow that is not saved. */
export const EMPTY = '/workflow/new';
const VIEWPORT = { width: 1440, height: 900 };

/** What n8n offers to new users in the editor is already known to this one. */
const ONBOARDED = [
	'N8N_PIN_DATA_DISCOVERY_NDV',
	'N8N_PIN_DATA_DISCOVERY_CANVAS',
	'N8N_TABLE_HOVER_ONBOARDED',
	'N8N_MAPPING_ONBOARDED',
	'N8N_AUTOCOMPLETE_ONBOARDED',
	'N8N_HIDE_ACTIVATION_ALERT',
];

interface OpenEditor {
	page: Page;
	stop: () => Promise<void>;
}

/** Makes a test of the editor. */
export type InEditor = (name: string, run: (page: Page) => Promise<void>) => void;

/** n8n's editor in a headless browser, signed in by its form. */
async function openEditor(baseUrl: string): Promise<OpenEditor> {
	const { browser, stop } = await launchChromium();
	try {
		const context = await browser.newContext({
			baseURL: baseUrl,
			viewport: VIEWPORT,
			deviceScaleFactor: PIXEL_RATIO,
			colorScheme: 'light',
			reducedMotion: 'reduce',
			locale: 'en-GB',
			timezoneId: 'Europe/Berlin',
		});
		context.setDefaultTimeout(SHOWN_WITHIN_MS);
		await context.addInitScript({
			content: ONBOARDED.map((key) => `localStorage.setItem('${key}', 'true');`).join(''),
		});
		const page = await context.newPage();
		await page.goto(`/signin?redirect=${encodeURIComponent(EMPTY)}`);
		await page.locator('input[type="email"], input[name="emailOrLdapLoginId"]').fill(OWNER.email);
		await page.locator('input[type="password"]').fill(OWNER.password);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await see(page.getByTestId('canvas-plus-button'));
		return { page, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/**
 * Tests in one editor for the tests of a file. It is loaded anew after a test that failed; what was on the page then is
 * kept in `playground/.state/browser-failed`.
 */
export function useEditor(world: () => World): InEditor {
	const editor = useOpened(async () => await openEditor(world().client.baseUrl));
	let isInOrder = true;
	return (name, run) => {
		it(name, async () => {
			const { page } = editor();
			await page.setViewportSize(VIEWPORT);
			if (!isInOrder) await loadAnew(page);
			isInOrder = false;
			try {
				await run(page);
				isInOrder = true;
			} catch (error) {
				mkdirSync(FAILED, { recursive: true });
				await page.screenshot({ path: path.join(FAILED, `${name.replaceAll(/\W+/g, '-')}.png`) });
				throw error;
			}
		});
	};
}

/** Waits until all of these are seen. */
export async function see(...shown: Locator[]): Promise<void> {
	await Promise.all(shown.map(async (one) => one.first().waitFor({ state: 'visible' })));
}

/** Loads the editor with an empty canvas. n8n's list of workflows is not left so easily: it sets its own address late. */
async function loadAnew(page: Page): Promise<void> {
	await page.goto(EMPTY);
	await see(page.getByTestId('canvas-plus-button'));
}

/** Goes there without loading the editor anew, which takes ten times as long. */
export async function goTo(page: Page, path: string): Promise<void> {
	await page.evaluate(
		`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate', { state: {} }));`,
	);
}

/** A node or a note on the canvas. */
export const nodeOnCanvas = (page: Page, { id }: INode): Locator =>
	page.locator(`.vue-flow__node[data-id="${id}"]`);

/** The canvas of a saved workflow, with all its nodes and notes. */
export async function openWorkflow(page: Page, { id, nodes }: SavedWorkflow): Promise<void> {
	await goTo(page, `/workflow/${id}`);
	await see(...nodes.map((one) => nodeOnCanvas(page, one)));
}

/** The panel of a node of a saved workflow. */
export async function openNode(page: Page, workflow: SavedWorkflow, name: string): Promise<void> {
	await openWorkflow(page, workflow);
	await openPanel(page, workflow, name);
}

/** The panel of a node of the workflow that is open. */
export async function openPanel(page: Page, workflow: SavedWorkflow, name: string): Promise<void> {
	await nodeOnCanvas(page, nodeOf(workflow, name)).dblclick();
	await see(page.getByTestId('ndv'));
}

/** What somebody who does not know the node looks for. */
export const LOOKED_FOR = 'phone call';

/** An entry of the list of nodes. */
export const creatorItem = (page: Page, text: string): Locator =>
	page.getByTestId('item-iterator-item').filter({ hasText: text });

/** The field of a parameter in the open panel. */
export const field = (page: Page, parameter: string): Locator =>
	page.getByTestId(`parameter-input-${parameter}`);

/** The {@link field} of a parameter with its name and its buttons. */
export const parameterItem = (page: Page, parameter: string): Locator =>
	page.getByTestId('parameter-item').filter({ has: field(page, parameter) });

/** Types into the field of a parameter. */
export async function fill(page: Page, parameter: string, text: string): Promise<void> {
	await field(page, parameter).locator('input, textarea').first().fill(text);
}

/** Opens the menu of a parameter; gives its entries. */
export async function openMenu(page: Page, parameter: string): Promise<Locator> {
	await field(page, parameter).click();
	const entries = page.getByRole('option').filter({ visible: true });
	await see(entries);
	return entries;
}

/** Chooses an entry of the menu of a parameter. */
export async function choose(page: Page, parameter: string, entry: string): Promise<void> {
	await (await openMenu(page, parameter)).filter({ hasText: entry }).first().click();
}

export const outputPanel = (page: Page): Locator => page.getByTestId('output-panel');

/** Executes the node of the open panel. */
export async function execute(page: Page): Promise<void> {
	await page.getByTestId('node-execute-button').click();
}

/** Shows what came out as a table or as JSON. */
export async function showOutputAs(page: Page, form: 'Schema' | 'Table' | 'JSON'): Promise<void> {
	await outputPanel(page).getByRole('radio', { name: form }).click();
}
