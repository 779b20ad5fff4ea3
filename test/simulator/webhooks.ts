import type { WebhookDelivery, WebhookTarget } from './contract';

/** Sends the end-of-call webhook (S 6). Own choice: one try per target, redirects are not followed. */
export class Webhooks {
	readonly deliveries: WebhookDelivery[] = [];
	readonly #stop = new AbortController();
	targets: WebhookTarget[] = [];
	#generation = 0;

	/** Sends to every target; what is sent before a `clear` is not listed after it. */
	async deliver(body: unknown): Promise<WebhookDelivery[]> {
		const generation = this.#generation;
		const deliveries = await Promise.all(
			this.targets.map(async (target) => ({
				url: target.url,
				body,
				...(await this.#post(target, JSON.stringify(body))),
			})),
		);
		if (generation === this.#generation) this.deliveries.push(...deliveries);
		return deliveries;
	}

	clear(): void {
		this.#generation += 1;
		this.deliveries.length = 0;
	}

	close(): void {
		this.#stop.abort();
	}

	async #post(target: WebhookTarget, body: string): Promise<{ status: number; answer: string }> {
		try {
			const response = await fetch(target.url, {
				...{ method: 'POST', body, redirect: 'manual', signal: this.#stop.signal },
				headers: { 'content-type': 'application/json', ...target.headers },
			});
			return { status: response.status, answer: await response.text() };
		} catch {
			return { status: 0, answer: '' };
		}
	}
}
