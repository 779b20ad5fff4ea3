/** An answer as it goes on the wire, and how it ends. */
export interface Reply {
	status: number;
	headers: Record<string, string>;
	body: string;
	delayMs?: number;
	/** It goes out when this has happened, and the delay is over. */
	until?: Promise<unknown>;
	/** Default: a complete answer. */
	ending?: 'hang' | 'reset' | 'truncate';
}

export function jsonReply(
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): Reply {
	return {
		status,
		headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
		body: JSON.stringify(body),
	};
}
