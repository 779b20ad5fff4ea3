import type { INode } from 'n8n-workflow';
import path from 'node:path';
import { selectors, type Locator, type Page } from 'playwright-core';
import { useOpened, type World } from '../e2e/world';
import type { SavedWorkflow } from '../restTypes';
import { OWNER } from '../setup';
import { nodeOf } from '../workflows';
import { launchChromium, openTab } from './chromium';

selectors.setTestIdAttribute('data-test-id');

const FAILED = path.join(__dirname, '..', '.state', 'browser-failed');
const WINDOW = { width: 1440, height: 900 };

/** What somebody who does not know the node looks for. */
export const LOOKED_FOR = 'phone call';

/** Waits until all of these are seen. */
export async function see(...targets: Locator[]): Promise<void> {
	await Promise.all(targets.map(async (target) => target.first().waitFor()));
}

/** n8n's editor in a browser; a person works with one page of it. */
export class Editor {
	constructor(readonly page: Page) {}

	/** What n8n names like this for tests. */
	part(name: string): Locator {
		return this.page.getByTestId(name);
	}

	/** The right side of a panel. */
	get output(): Locator {
		return this.part('output-panel');
	}

	field(parameter: string): Locator {
		return this.part(`parameter-input-${parameter}`);
	}

	/** The field of a parameter with its name and its buttons. */
	item(parameter: string): Locator {
		return this.part('parameter-item').filter({ has: this.field(parameter) });
	}

	/** What one types into. */
	input(parameter: string): Locator {
		return this.field(parameter).locator('input, textarea').first();
	}

	async fill(values: Readonly<Record<string, string>>): Promise<void> {
		for (const [parameter, text] of Object.entries(values)) await this.input(parameter).fill(text);
	}

	/** The entries of the menu that is open. */
	get options(): Locator {
		return this.page.getByRole('option').filter({ visible: true });
	}

	async choose(parameter: string, entry: string): Promise<void> {
		await this.field(parameter).click();
		await this.options.filter({ hasText: entry }).first().click();
	}

	/** An entry of the list of nodes. */
	creatorItem(text: string): Locator {
		return this.part('item-iterator-item').filter({ hasText: text }).first();
	}

	/** Loads the editor with an empty canvas. n8n's list of workflows is not left so easily: it sets its own address late. */
	async loadAnew(): Promise<void> {
		await this.page.goto('/workflow/new');
		await see(this.part('canvas-plus-button'));
	}

	/** Goes there without loading the editor anew, which takes ten times as long. */
	async goTo(address: string): Promise<void> {
		await this.page.evaluate(
			`history.pushState({}, '', '${address}'); dispatchEvent(new PopStateEvent('popstate', { state: {} }));`,
		);
	}

	onCanvas({ id }: INode): Locator {
		return this.page.locator(`.vue-flow__node[data-id="${id}"]`);
	}

	/** Opens the canvas of a saved workflow, with all its nodes and notes. */
	async openWorkflow({ id, nodes }: SavedWorkflow): Promise<void> {
		await this.goTo(`/workflow/${id}`);
		await see(...nodes.map((node) => this.onCanvas(node)));
	}

	async openPanel(workflow: SavedWorkflow, name: string): Promise<void> {
		await this.onCanvas(nodeOf(workflow, name)).dblclick();
		await see(this.part('ndv'));
	}

	async closePanel(): Promise<void> {
		await this.part('ndv-close-button').click();
		await this.part('ndv').waitFor({ state: 'hidden' });
	}

	async execute(): Promise<void> {
		await this.part('node-execute-button').click();
	}

	/** Shows what came out as a table or as JSON, with these texts in it. */
	async showOutputAs(form: 'Table' | 'JSON', ...texts: (string | RegExp)[]): Promise<void> {
		await this.output.getByRole('radio', { name: form }).click();
		await see(...texts.map((text) => this.output.getByText(text)));
	}
}

/** n8n's editor in a headless browser, signed in. */
async function openEditor(baseURL: string): Promise<{ editor: Editor; stop: () => Promise<void> }> {
	const { browser, stop } = await launchChromium();
	const page = await openTab(browser, {
		...{ baseURL, viewport: WINDOW, colorScheme: 'light', reducedMotion: 'reduce' },
		...{ locale: 'en-GB', timezoneId: 'Europe/Berlin' },
	});
	// Its tip would lie over what is below a field.
	await page.addInitScript("localStorage.setItem('N8N_MAPPING_ONBOARDED', 'true')");
	const { email: emailOrLdapLoginId, password } = OWNER;
	const login = await page.request.post('/rest/login', { data: { emailOrLdapLoginId, password } });
	if (!login.ok()) throw new Error(`n8n refuses its owner: ${login.status()}`);
	const editor = new Editor(page);
	await editor.loadAnew();
	return { editor, stop };
}

/**
 * Makes tests in one editor for the tests of a file. It is loaded anew after a test that failed; what was on the page then
 * is kept in `playground/.state/browser-failed`.
 */
export function useEditor(world: () => World) {
	const opened = useOpened(async () => await openEditor(world().client.baseUrl));
	return (name: string, run: (editor: Editor) => Promise<void>): void => {
		it(name, async () => {
			const { editor } = opened();
			await editor.page.setViewportSize(WINDOW);
			try {
				await run(editor);
			} catch (error) {
				const file = `${name.replaceAll(/\W+/g, '-')}.png`;
				await editor.page.screenshot({ path: path.join(FAILED, file) });
				await editor.loadAnew();
				throw error;
			}
		});
	};
}
