/** Timers that can be taken back all at once. */
export class Timers {
	readonly #pending = new Set<NodeJS.Timeout>();

	after(ms: number, action: () => void): void {
		const timer = setTimeout(() => {
			this.#pending.delete(timer);
			action();
		}, ms);
		this.#pending.add(timer);
	}

	clear(): void {
		for (const timer of this.#pending) clearTimeout(timer);
		this.#pending.clear();
	}
}
