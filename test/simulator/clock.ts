/** The service's clock: real time, which tests can move forward. */
export class Clock {
	#offset = 0;

	now(): number {
		return Date.now() + this.#offset;
	}

	advance(ms: number): void {
		this.#offset += ms;
	}

	reset(): void {
		this.#offset = 0;
	}
}
