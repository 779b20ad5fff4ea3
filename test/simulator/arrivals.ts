import type { RecordedRequest } from './contract';

/** One line of the log of requests. */
export interface Arrival {
	endpoint: string | null;
	recipient: string | null;
	/** When it came, in milliseconds since the epoch. */
	at: number;
	processed: boolean;
	/** What was answered; null while nothing is. */
	status: number | null;
}

export const arrivalOf = ({ endpoint, body, at, processed, status }: RecordedRequest): Arrival => ({
	endpoint: endpoint ?? null,
	recipient: recipientOf(body) ?? null,
	at: performance.timeOrigin + at,
	processed,
	status: status ?? null,
});

/** The phone number that a request names. */
export function recipientOf(body: unknown): string | undefined {
	return typeof body === 'object' &&
		body !== null &&
		'toNumber' in body &&
		typeof body.toNumber === 'string'
		? body.toNumber
		: undefined;
}
