import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Debian's library that gives a process another time; each kind of processor has its folder. */
const LIBRARY = path.join('faketime', 'libfaketimeMT.so.1');

function libraryOnDisk(): string {
	const folders = readdirSync('/usr/lib').map((name) => path.join('/usr/lib', name, LIBRARY));
	const library = folders.find((file) => existsSync(file));
	if (!library) throw new Error('faketime is not installed: sudo apt-get install faketime');
	return library;
}

/** A clock that goes as fast as the real one and can be moved, for this process and for an n8n. */
export class MovedClock {
	#offsetMs = 0;

	/** @param file where the n8n reads how far its clock is moved */
	constructor(private readonly file: string) {}

	now(): number {
		return Date.now() + this.#offsetMs;
	}

	/** Moves it to a time in ms since the epoch. */
	moveTo(time: number): void {
		this.#offsetMs = time - Date.now();
		const seconds = this.#offsetMs / 1000;
		// Never half a file: n8n reads it whenever it asks for the time.
		writeFileSync(`${this.file}.new`, `${seconds < 0 ? '' : '+'}${seconds.toFixed(3)}`);
		renameSync(`${this.file}.new`, this.file);
	}

	/** The settings of an n8n that goes by this clock. Its timers take as long as ever. */
	get settings(): Record<string, string> {
		return {
			LD_PRELOAD: libraryOnDisk(),
			FAKETIME_TIMESTAMP_FILE: this.file,
			FAKETIME_NO_CACHE: '1',
			DONT_FAKE_MONOTONIC: '1',
			NO_FAKE_STAT: '1',
			N8N_USER_MANAGEMENT_JWT_DURATION_HOURS: '1000',
		};
	}
}
