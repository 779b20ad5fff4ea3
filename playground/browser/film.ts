import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { IS_WRITING, settled, writePicture } from './pictures';

/** Of the pages that are shown, in CSS pixels. */
export const SCREEN = { width: 1120, height: 700 };
/** The strip below them, which says what is done. */
const STRIP = 52;
/** The way of the pointer to what it clicks. */
const STEPS = 6;
const STEP_MS = 50;
/** To look around between two clicks. */
const SEEN_MS = 700;
/** To read a line, or what comes out. */
const READ_MS = 1600;
/** Letters that are typed between two frames. */
const LETTERS = 3;

const STYLE = '.el-notification { visibility: hidden !important; }';
const SHOT = { scale: 'css', animations: 'disabled', caret: 'hide', style: STYLE } as const;
const ENCODING = { lossless: true, effort: 4, minSize: true, loop: 0 };

/** What is clicked, and then written there. */
interface Action {
	target: Locator;
	text?: string;
	clickCount?: number;
}

/** What is to be seen for some milliseconds. */
interface Frame {
	shot: Buffer;
	pointer: { x: number; y: number };
	caption: string;
	ms: number;
}

/** The pointer and the caption of a frame. */
const overlay = ({ pointer, caption }: Frame): Buffer =>
	Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${SCREEN.width}" height="${SCREEN.height + STRIP}">
<rect y="${SCREEN.height}" width="100%" height="${STRIP}" fill="#2b2b35"/>
<text x="24" y="${SCREEN.height + 33}" font-family="Liberation Sans, Arial, sans-serif" font-size="21" fill="#fff">${caption}</text>
<path transform="translate(${pointer.x} ${pointer.y})" d="M0 0v20l5-4.5 3.5 8 3.5-1.5-3.5-8h7z" fill="#000" stroke="#fff" stroke-width="1.5"/>
</svg>`);

const pictureOf = async (frame: Frame): Promise<Buffer> =>
	await sharp(frame.shot)
		.extend({ bottom: STRIP })
		.composite([{ input: overlay(frame) }])
		.png()
		.toBuffer();

/**
 * A moving picture of what a person does on pages: a frame for each thing that is done, with the pointer and a caption.
 * `npm run screenshots` takes the frames; otherwise only what is done is done.
 */
export class Film {
	private readonly frames: Frame[] = [];
	private pointer = { x: SCREEN.width / 2, y: SCREEN.height / 2 };
	private caption = '';

	/** Does this below a caption, which is markup, until the outcome is seen. */
	async plays(caption: string, actions: readonly Action[], outcome: Locator): Promise<void> {
		this.caption = caption;
		for (const [index, action] of actions.entries()) {
			await this.shows(action.target, index === 0 ? READ_MS : SEEN_MS);
			await this.does(action);
		}
		await this.shows(outcome, READ_MS);
	}

	/** What is to be seen as soon as the page shows this. */
	private async shows(part: Locator, ms: number): Promise<void> {
		await part.first().waitFor();
		if (!IS_WRITING) return;
		await settled(part.page());
		const { pointer, caption } = this;
		this.frames.push({ shot: await part.page().screenshot(SHOT), pointer, caption, ms });
	}

	private async does({ target, text = '', clickCount = 1 }: Action): Promise<void> {
		// The editor draws its lists anew while one types in them; `hover` waits for the new one, `scrollIntoViewIfNeeded` fails.
		await target.hover();
		await this.shows(target, STEP_MS);
		await this.goesTo(target);
		await target.click({ clickCount });
		if (text === '') return;
		for (let length = LETTERS; IS_WRITING && length < text.length; length += LETTERS) {
			await target.fill(text.slice(0, length));
			await this.shows(target, 2 * STEP_MS);
		}
		await target.fill(text);
	}

	private async goesTo(target: Locator): Promise<void> {
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

	/** Writes `docs/images/<name>.webp`, which begins with its end and this caption, and begins again at its end. */
	async save(name: string, result: string): Promise<void> {
		const end = this.frames.at(-1);
		if (end === undefined) return;
		const frames = [{ ...end, caption: result, ms: 2 * READ_MS }, ...this.frames];
		const moving = sharp(await Promise.all(frames.map(pictureOf)), { join: { animated: true } });
		const delay = frames.map(({ ms }) => ms);
		writePicture(name, await moving.webp({ ...ENCODING, delay }).toBuffer());
	}
}
