import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';

const FOLDER = path.join(__dirname, '..', '..', 'docs', 'images');
/** `npm run screenshots` writes the pictures; `npm run test:browser` leaves them alone. */
export const IS_WRITING = process.env.PLAYGROUND_PICTURES === 'write';
/** Only pictures are worth the time that the second pixel takes. */
export const PIXEL_RATIO = IS_WRITING ? 2 : 1;

/** What floats above the page and belongs to no picture. */
const HIDDEN = [
	...['.el-notification', '.vue-flow__background', '.tab-bar-container'],
	...[
		...['execute-workflow-button', 'ask-assistant-floating-button', 'floating-node'],
		...['parameter-focus-button', 'node-creator-plus-button', 'command-bar-button'],
		...['add-sticky-button', 'toggle-focus-panel-button', 'canvas-controls'],
		...['canvas-minimap', 'workflow-chat-button'],
	].map((name) => `[data-test-id^="${name}"]`),
];

interface PictureOptions {
	/** Kept free around what is shown, in CSS pixels. */
	margin?: number;
	maxHeight?: number;
	/** A page of n8n has few; those in between make text smooth. More for what is told by small coloured text. */
	colours?: number;
}

/** Writes a picture of the part of the page that holds these, light and dark, with two pixels for each. */
export async function picture(
	name: string,
	shown: Locator,
	{ margin = 0, maxHeight = Infinity, colours = 16 }: PictureOptions = {},
): Promise<void> {
	if (!IS_WRITING) return;
	const page = shown.page();
	await settled(page);
	const boxes = await Promise.all((await shown.all()).map(async (part) => part.boundingBox()));
	const drawn = boxes.filter((box) => box !== null);
	const x = Math.max(0, Math.min(...drawn.map((box) => box.x)) - margin);
	const y = Math.max(0, Math.min(...drawn.map((box) => box.y)) - margin);
	const width = Math.max(...drawn.map((box) => box.x + box.width)) + margin - x;
	const height = Math.max(...drawn.map((box) => box.y + box.height)) + margin - y;
	const clip = { x, y, width, height: Math.min(height, maxHeight) };
	const style = `${HIDDEN.join(',')} { visibility: hidden !important; }`;
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		await settled(page);
		const shot = await page.screenshot({ clip, style, animations: 'disabled', caret: 'hide' });
		const reduced = await sharp(shot).png({ palette: true, colours, dither: 0 }).toBuffer();
		const webp = await sharp(reduced).webp({ lossless: true, effort: 6 }).toBuffer();
		writePicture(colorScheme === 'dark' ? `${name}.dark` : name, webp);
	}
	await page.emulateMedia({ colorScheme: 'light' });
}

export function writePicture(name: string, webp: Buffer): void {
	writeFileSync(path.join(FOLDER, `${name}.webp`), webp);
}

/** Waits until what opens is open, and the icons of the other theme are there and drawn. */
export async function settled(page: Page): Promise<void> {
	const frame = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
	await page.evaluate(frame);
	// All animations that end have ended. A menu that opens has not yet its size.
	await page.evaluate(`Promise.allSettled(
		document.getAnimations()
			.filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
			.map(({ finished }) => finished),
	)`);
	await page.waitForFunction('Array.from(document.images).every(({ complete }) => complete)');
	await page.evaluate(frame);
}
