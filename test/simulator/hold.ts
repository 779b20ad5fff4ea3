/** Keeps something back until it is released: `until` for a fault. */
export function hold(): { until: Promise<void>; release: () => void } {
	let release = (): void => undefined;
	const until = new Promise<void>((resolve) => {
		release = resolve;
	});
	return { until, release };
}
