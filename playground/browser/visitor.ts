import axe, { type AxeResults } from 'axe-core';
import type { Browser, Locator, Page as Tab } from 'playwright-core';
import { openTab } from './chromium';

/** What the browser says of a refused entry, and of the style with which pictures are taken. */
const EXPECTED = /status of 400|Applying inline style/;
/** More than there are places to stop at. */
const MAX_TABS = 200;

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Somebody who looks at the page of the simulated service, and uses it without a mouse. */
export class Visitor {
	/** What went wrong in the page. */
	readonly troubles: string[] = [];

	private constructor(readonly tab: Tab) {
		tab.on('pageerror', ({ message }) => this.troubles.push(message));
		tab.on('console', (line) => {
			if (line.type() === 'error' && !EXPECTED.test(line.text())) this.troubles.push(line.text());
		});
	}

	/** Opens the page, and waits until it shows something. */
	static async open(browser: Browser, url: string, colorScheme: Theme): Promise<Visitor> {
		const viewport = { width: 1280, height: 900 };
		const permissions = ['clipboard-read', 'clipboard-write'];
		const visitor = new Visitor(await openTab(browser, { colorScheme, viewport, permissions }));
		await visitor.tab.goto(url);
		await visitor.hears('ring');
		return visitor;
	}

	button(name: string | RegExp): Locator {
		return this.tab.getByRole('button', { name });
	}

	field(name: string): Locator {
		return this.tab.getByLabel(name, { exact: true });
	}

	section(name: string): Locator {
		return this.tab.getByRole('region', { name, exact: true });
	}

	/** Waits until the page has announced this. */
	async hears(text: string): Promise<void> {
		await this.tab.getByRole('status').filter({ hasText: text }).waitFor();
	}

	async sees(section: string, text: string): Promise<void> {
		await this.section(section).getByText(text).first().waitFor();
	}

	async isAt(target: Locator): Promise<void> {
		await target.and(this.tab.locator(':focus')).waitFor();
	}

	/** Goes there with the Tab key. */
	async reaches(target: Locator): Promise<void> {
		await target.first().waitFor();
		for (let tabs = 0; tabs < MAX_TABS; tabs++) {
			if ((await target.and(this.tab.locator(':focus')).count()) === 1) return;
			await this.tab.keyboard.press('Tab');
		}
		throw new Error(`cannot reach ${String(target)} with the keyboard`);
	}

	/** Presses a button, and waits until the page has announced this. */
	async presses(name: string | RegExp, announced = ''): Promise<void> {
		await this.reaches(this.button(name));
		await this.tab.keyboard.press('Enter');
		if (announced !== '') await this.hears(announced);
	}

	/** Writes into fields, in the place of what they hold. */
	async enters(texts: Readonly<Record<string, string>>): Promise<void> {
		for (const [name, text] of Object.entries(texts)) {
			await this.reaches(this.field(name));
			await this.tab.keyboard.press('ControlOrMeta+a');
			await this.tab.keyboard.type(text);
		}
	}

	async violations(): Promise<string[]> {
		await this.tab.evaluate(axe.source);
		const { violations } = await this.tab.evaluate<AxeResults>('axe.run()');
		return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
	}
}
