/** Keeps something back until it is released: `until` for a fault. */
export function hold<T = void>(): { until: Promise<T>; release: (value: T) => void } {
	let release: (value: T) => void = () => undefined;
	const until = new Promise<T>((resolve) => {
		release = resolve;
	});
	return { until, release };
}
