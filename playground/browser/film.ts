import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { IS_WRITING, settled, writePicture } from './pictures';

/** Of the pages that are shown, in CSS pixels. */
const SCREEN = { width: 1120, height: 700 };
/** The strip below them, which says what is done. */
const STRIP = 52;
/** The way of the pointer to what it clicks. */
const STEPS = 6;
const STEP_MS = 50;
const SEEN_MS = 600;
/** To read a line. */
export const READ_MS = 1600;
/** To see what comes out, before one sees how. */
const RESULT_MS = 2500;
const TYPED_MS = 90;
/** Letters that are typed between two frames. */
const LETTERS = 2;

const SHOT = {
	scale: 'css',
	animations: 'disabled',
	caret: 'hide',
	style: '.el-notification { visibility: hidden !important; }',
} as const;
const ENCODING = { lossless: true, effort: 4, minSize: true, loop: 0 };

/** What is to be seen for some milliseconds. */
interface Frame {
	shot: Buffer;
	pointer: { x: number; y: number };
	caption: string;
	ms: number;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The pointer and the caption of a frame. */
const overlay = ({ pointer, caption }: Frame): Buffer =>
	Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${SCREEN.width}" height="${SCREEN.height + STRIP}">
<rect y="${SCREEN.height}" width="100%" height="${STRIP}" fill="#2b2b35"/>
<text x="24" y="${SCREEN.height + 33}" font-family="Liberation Sans, Arial, sans-serif" font-size="21" fill="#fff">${escaped(caption)}</text>
<path transform="translate(${pointer.x} ${pointer.y})" d="M0 0v20l5-4.5 3.5 8 3.5-1.5-3.5-8h7z" fill="#000" stroke="#fff" stroke-width="1.5"/>
</svg>`);

/**
 * A moving picture of what a person does on pages: a frame for each thing that is done, with the pointer and a caption.
 * `npm run screenshots` takes the frames; otherwise only what is done is done.
 */
export class Film {
	private readonly frames: Frame[] = [];
	private pointer = { x: SCREEN.width / 2, y: SCREEN.height / 2 };
	private caption = '';

	constructor(private page: Page) {}

	/** From now on this page is shown. */
	async cutTo(page: Page): Promise<void> {
		await page.setViewportSize(SCREEN);
		this.page = page;
	}

	/** Goes on with this caption. */
	async says(caption: string): Promise<void> {
		this.caption = caption;
		await this.shows(READ_MS);
	}

	async shows(ms: number): Promise<void> {
		if (!IS_WRITING) return;
		await settled(this.page);
		const { page, pointer, caption } = this;
		this.frames.push({ shot: await page.screenshot(SHOT), pointer, caption, ms });
	}

	private async goesTo(target: Locator): Promise<void> {
		// The editor draws its lists anew while one types in them; `hover` waits for the new one, `scrollIntoViewIfNeeded` fails.
		await target.hover();
		await this.shows(STEP_MS);
		const last = this.frames.at(-1);
		const box = await target.boundingBox();
		if (!last || !box) return;
		const to = { x: box.x + Math.min(box.width / 2, 120), y: box.y + box.height / 2 };
		for (let left = STEPS; left > 0; left--) {
			const { x, y } = this.pointer;
			this.pointer = { x: x + (to.x - x) / left, y: y + (to.y - y) / left };
			this.frames.push({ ...last, pointer: this.pointer, ms: STEP_MS });
		}
	}

	async clicks(target: Locator, times: 1 | 2 = 1): Promise<void> {
		await this.goesTo(target);
		await target.click({ clickCount: times });
	}

	/** Writes into a field, letter by letter or at once, as one pastes. */
	async enters(target: Locator, text: string, how: 'types' | 'pastes' = 'pastes'): Promise<void> {
		await this.clicks(target);
		const letters = how === 'types' && IS_WRITING ? LETTERS : text.length;
		for (let length = letters; length < text.length; length += letters) {
			await target.fill(text.slice(0, length));
			await this.shows(TYPED_MS);
		}
		await target.fill(text);
		await this.shows(SEEN_MS);
	}

	/** Writes `docs/images/<name>.webp`, which begins with its end and this caption, and begins again at its end. */
	async save(name: string, result: string): Promise<void> {
		const end = this.frames.at(-1);
		if (!IS_WRITING || end === undefined) return;
		const frames = [{ ...end, caption: result, ms: RESULT_MS }, ...this.frames];
		const pictures: Buffer[] = [];
		for (const frame of frames) {
			const extended = sharp(frame.shot).extend({ bottom: STRIP });
			pictures.push(
				await extended
					.composite([{ input: overlay(frame) }])
					.png()
					.toBuffer(),
			);
		}
		const delay = frames.map(({ ms }) => ms);
		const moving = sharp(pictures, { join: { animated: true } });
		writePicture(name, await moving.webp({ ...ENCODING, delay }).toBuffer());
	}
}
