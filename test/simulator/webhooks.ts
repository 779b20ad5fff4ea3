import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';
import type { WebhookDelivery, WebhookTarget } from './contract';

const MAX_SOCKETS = 100;

/** Sends the end-of-call webhook (S 6). Own choice: one try per target, redirects are not followed. */
export class Webhooks {
	readonly deliveries: WebhookDelivery[] = [];
	readonly #agents = {
		http: new http.Agent({ maxSockets: MAX_SOCKETS }),
		https: new https.Agent({ maxSockets: MAX_SOCKETS }),
	};
	readonly #stop = new AbortController();
	#generation = 0;

	constructor(public targets: WebhookTarget[]) {}

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
			const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
				const options = {
					method: 'POST',
					signal: this.#stop.signal,
					headers: { 'content-type': 'application/json', ...target.headers },
				};
				const request = target.url.startsWith('https:')
					? https.request(target.url, { ...options, agent: this.#agents.https }, resolve)
					: http.request(target.url, { ...options, agent: this.#agents.http }, resolve);
				request.on('error', reject);
				request.end(body);
			});
			return { status: response.statusCode ?? 0, answer: await text(response) };
		} catch {
			return { status: 0, answer: '' };
		}
	}
}
