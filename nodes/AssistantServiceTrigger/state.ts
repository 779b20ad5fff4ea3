import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** Forgets what was set first when it is full. */
class BoundedMap<T> extends Map<string, T> {
	constructor(private readonly maxSize: number) {
		super();
	}

	override set(key: string, value: T): this {
		super.set(key, value);
		const [oldestKey] = this.keys();
		if (this.size > this.maxSize && oldestKey !== undefined) this.delete(oldestKey);
		return this;
	}
}

/** How many events of all triggers one process remembers. */
export const MAX_EVENTS = 100_000;

/** Creates the memory of a process of n8n: all that it remembers of its triggers. */
export const createState = () => ({
	/** When each event started an execution, in milliseconds, by its digest. */
	events: new BoundedMap<number>(MAX_EVENTS),
	/** What n8n stores of each trigger: its newest events. */
	stored: new BoundedMap<string>(1_000),
	/** The answers to the events that n8n is handling. */
	answers: new BoundedMap<{ readonly writableEnded: boolean }>(10_000),
	/** The credential of each trigger, and when it was read. */
	credentials: new BoundedMap<{
		readonly value: ICredentialDataDecryptedObject;
		readonly readAt: number;
	}>(1_000),
	/** How many events in a row had no property of an option, by trigger, option and property. */
	absences: new BoundedMap<number>(1_000),
	/** For how many calls rows are looked for that are not there yet. */
	lateCalls: 0,
});

export type State = ReturnType<typeof createState>;

export const state = createState();
