// Plain JavaScript without dependencies: it is needed before anything is installed.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** One Ctrl-C comes several times within milliseconds: from the terminal, from npm, and from the process above. */
const ONE_PRESS_MS = 1000;

/**
 * Calls `first` at the first signal that ends a process, with its name, and `again` at each one that comes more than a
 * second later. Signals do not end the process any more.
 *
 * @param {(signal: NodeJS.Signals) => void} first
 * @param {() => void} again
 * @returns {() => void} takes both away
 */
export function onSignals(first, again) {
	let began;
	const heard = (signal) => {
		if (began === undefined) {
			began = performance.now();
			first(signal);
		} else if (performance.now() - began > ONE_PRESS_MS) again();
	};
	for (const signal of SIGNALS) process.on(signal, heard);
	return () => {
		for (const signal of SIGNALS) process.off(signal, heard);
	};
}

/** What is said at the first one. */
export const waitsFor = (what, ms) =>
	`stopping: waiting for ${what}, ${ms / 1000} seconds at most; Ctrl-C again ends it at once`;
