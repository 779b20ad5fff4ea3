import { steadyNow } from '../time/clock';
import { Gate } from './gate';

/** How long a gate that nobody uses keeps what it has learned, in milliseconds. */
const KEPT_FOR = 60_000;

/** How many gates that nobody uses are kept. */
const MAX_KEPT = 100;

/** The gates of this process, the one that was used last at the end. */
const gates = new Map<string, Gate>();

/**
 * The gate of a service.
 *
 * A gate is forgotten a minute after its last run, or when 100 others have been unused for a shorter time.
 *
 * @param name names the service and whose requests it counts together
 */
export function gateOf(name: string): Gate {
	const gate = gates.get(name) ?? new Gate();
	gates.delete(name);
	forgetUnused();
	gates.set(name, gate);
	return gate;
}

function forgetUnused(): void {
	const unused = [...gates].filter(([, { idleSince }]) => idleSince !== undefined);
	const since = steadyNow() - KEPT_FOR;
	for (const [index, [name, { idleSince = 0 }]] of unused.entries()) {
		if (idleSince < since || unused.length - index > MAX_KEPT) gates.delete(name);
	}
}
