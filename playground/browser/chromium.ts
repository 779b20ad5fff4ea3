import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { PIXEL_RATIO } from './pictures';

/** Long: the machine may be busy, and the first page of n8n alone takes 20 seconds. */
const SHOWN_WITHIN_MS = 120_000;

/** Where Debian, Ubuntu and Alpine put it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** The browser of the environment variable CHROMIUM, or that of the system. */
const find = (): string | undefined =>
	[process.env.CHROMIUM ?? '', ...PLACES].find((file) => existsSync(file));

/** Installs Debian's Chromium; only root can. */
function install(): void {
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	for (const args of [
		['update', '--quiet', '--quiet'],
		['install', '--yes', '--no-install-recommends', 'chromium', 'fonts-liberation'],
	]) {
		execFileSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
	}
}

/**
 * The path of a Chromium. If there is none and this runs as root, Debian's is installed.
 *
 * @throws Error that says how to get one
 */
export function chromiumPath(): string {
	if (!find() && process.getuid?.() === 0) install();
	const file = find();
	if (file) return file;
	throw new Error(
		'no Chromium: install it with "sudo apt-get install chromium", or name one in CHROMIUM',
	);
}

export async function launchChromium(): Promise<{ browser: Browser; stop: () => Promise<void> }> {
	const browser = await chromium.launch({
		executablePath: chromiumPath(),
		timeout: SHOWN_WITHIN_MS,
		args: [
			// Root cannot have the sandbox, and small machines have little shared memory.
			...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
			'--disable-dev-shm-usage',
			'--font-render-hinting=none',
		],
	});
	return { browser, stop: async () => browser.close() };
}

/** A page without anything of those before it; gives up what it waits for in vain. */
export async function openTab(browser: Browser, options: BrowserContextOptions): Promise<Page> {
	const context = await browser.newContext({ deviceScaleFactor: PIXEL_RATIO, ...options });
	context.setDefaultTimeout(SHOWN_WITHIN_MS);
	return await context.newPage();
}
