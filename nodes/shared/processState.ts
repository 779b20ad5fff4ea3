/**
 * What the node keeps of a kind in a process of n8n, from one execution to the next: values by
 * name, of which those stay that were used last. None of it has to survive the process.
 */
export class ProcessState<T> {
	private readonly values = new Map<string, T>();

	/**
	 * @param maxSize how many are kept
	 * @param isIdle false for a value that is kept beyond that, since it is in use
	 */
	constructor(
		private readonly maxSize: number,
		private readonly isIdle: (value: T) => boolean = () => true,
	) {}

	/** Gives the value of this name; a new one if there is none. */
	get(name: string, make: () => T): T {
		const value = this.values.get(name) ?? make();
		this.values.delete(name);
		this.values.set(name, value);
		for (const [storedKey, storedValue] of this.values) {
			if (this.values.size <= this.maxSize) break;
			if (storedValue !== value && this.isIdle(storedValue)) this.values.delete(storedKey);
		}
		return value;
	}
}
