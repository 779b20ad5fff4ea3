import type { Fault } from '../../test/simulator/simulator';

interface FaultChoice {
	/** What the service does with a request. */
	label: string;
	/** @param seconds of Retry-After, or of the delay */
	fault: (seconds: number) => Fault;
}

/** The faults that a person can switch on, by the value of the menu. */
export const FAULTS = {
	tooManyRequests: {
		label: 'Refuses with 429 and Retry-After',
		fault: (seconds) => ({ kind: 'rateLimited', retryAfter: String(seconds) }),
	},
	badValues: {
		label: 'Refuses the values with 400',
		fault: () => ({ kind: 'status', status: 400 }),
	},
	serverError: { label: 'Fails with 500', fault: () => ({ kind: 'status', status: 500 }) },
	unavailable: {
		label: 'Refuses with 503 and Retry-After',
		fault: (seconds) => ({ kind: 'status', status: 503, retryAfter: String(seconds) }),
	},
	lostAnswer: { label: 'Acts, but the answer is lost', fault: () => ({ kind: 'resetAfter' }) },
	lostRequest: {
		label: 'Cuts the connection and does not act',
		fault: () => ({ kind: 'resetBefore' }),
	},
	slow: {
		label: 'Acts, but answers late',
		fault: (seconds) => ({ kind: 'delay', delayMs: seconds * 1000 }),
	},
} as const satisfies Record<string, FaultChoice>;

export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as [FaultName, ...FaultName[]];

/** What a fault does, in the words of the menu. */
export function describeFault({ kind, status, retryAfter, delayMs, toNumber }: Fault): string {
	const choices: FaultChoice[] = Object.values(FAULTS);
	const found = choices.find(({ fault }) => fault(0).kind === kind && fault(0).status === status);
	const seconds = retryAfter ?? (delayMs === undefined ? undefined : String(delayMs / 1000));
	const lasts = seconds === undefined ? '' : ` (${seconds} s)`;
	const scope = toNumber === undefined ? '' : `, for ${toNumber}`;
	return (found?.label ?? kind) + lasts + scope;
}
