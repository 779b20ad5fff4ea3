import type { WebhookDelivery } from '../../test/simulator/simulator';

const MASK = '*****';

/** An address without what may be secret in it: the values of its query, and a password. */
export function shownUrl(url: string): string {
	const shown = new URL(url);
	for (const name of new Set(shown.searchParams.keys())) shown.searchParams.set(name, MASK);
	if (shown.password !== '') shown.password = MASK;
	return shown.href;
}

const MEANINGS = new Map([
	[0, 'No answer. Is the address right, and is n8n running?'],
	[401, 'Refused: the secret is missing or wrong. Add the URL with the secret of the trigger.'],
	[403, 'Refused: the IP allowlist of the trigger does not have this address.'],
	[404, 'Nobody listens there. Click Execute step in n8n, or publish the workflow.'],
]);

export const ACCEPTED = 'Accepted.';

/** What the answer to a webhook means for its sender. */
export function meaningOf({ status, answer }: Pick<WebhookDelivery, 'status' | 'answer'>): string {
	const body = parse(answer);
	if (status === 200 && body.repeat === true) return 'A repeat: no execution was started.';
	if (status >= 200 && status < 300) return ACCEPTED;
	return MEANINGS.get(status) ?? (typeof body.error === 'string' ? body.error : 'Refused.');
}

function parse(answer: string): Record<string, unknown> {
	try {
		const body: unknown = JSON.parse(answer);
		return typeof body === 'object' && body !== null ? { ...body } : {};
	} catch {
		return {};
	}
}
