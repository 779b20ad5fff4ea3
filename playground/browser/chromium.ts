import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { PIXEL_RATIO } from './pictures';

/** Long: the machine may be busy, and the first page of n8n alone takes 20 seconds. */
const SHOWN_WITHIN_MS = 120_000;

/** Where Debian, Ubuntu and Alpine put it, or the environment variable CHROMIUM says. */
const PLACES = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const INSTALL = 'apt-get --yes --no-install-recommends install chromium fonts-liberation';

/**
 * The path of a Chromium. If there is none and this runs as root, Debian's is installed.
 *
 * @throws Error that says how to get one
 */
export function chromiumPath(): string {
	const find = () => PLACES.find((file) => existsSync(file));
	if (!find() && process.getuid?.() === 0) {
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		execSync(`apt-get -qq update && ${INSTALL}`, { env, stdio: ['ignore', 'ignore', 'inherit'] });
	}
	const file = find();
	if (file) return file;
	throw new Error('no Chromium: "sudo apt-get install chromium", or name one in CHROMIUM');
}

export async function launchChromium(): Promise<{ browser: Browser; stop: () => Promise<void> }> {
	const browser = await chromium.launch({
		executablePath: chromiumPath(),
		timeout: SHOWN_WITHIN_MS,
		args: ['--font-render-hinting=none'],
	});
	return { browser, stop: async () => browser.close() };
}

/** A page without anything of those before it; gives up what it waits for in vain. */
export async function openTab(browser: Browser, options: BrowserContextOptions): Promise<Page> {
	const context = await browser.newContext({ deviceScaleFactor: PIXEL_RATIO, ...options });
	context.setDefaultTimeout(SHOWN_WITHIN_MS);
	return await context.newPage();
}
