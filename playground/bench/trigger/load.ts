import http from 'node:http';
import { text } from 'node:stream/consumers';
import type { Event } from './events';

/** Where events are posted. */
export interface Target {
	url: string;
	headers: Record<string, string>;
}

/** How a delivery was answered. */
export interface Answer {
	reference: string;
	/** 0 if there was no answer. */
	status: number;
	body: string;
	milliseconds: number;
}

const ANSWERED_WITHIN_MS = 300_000;

/** Posts events in their order over a fixed number of connections, each as soon as the one before is answered. */
export async function deliverAll(
	target: Target,
	events: readonly Event[],
	connections: number,
): Promise<Answer[]> {
	const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
	const answers: Answer[] = [];
	const waiting = events.values();
	const work = async (): Promise<void> => {
		for (const event of waiting) answers.push(await deliver(target, agent, event));
	};
	await Promise.all(Array.from({ length: connections }, work));
	agent.destroy();
	return answers;
}

async function deliver(target: Target, agent: http.Agent, event: Event): Promise<Answer> {
	const { reference } = event;
	const startedAt = performance.now();
	const answer = await post(target, agent, event).catch((error: unknown) => ({
		status: 0,
		body: String(error),
	}));
	return { reference, ...answer, milliseconds: performance.now() - startedAt };
}

async function post(
	{ url, headers }: Target,
	agent: http.Agent,
	{ body }: Event,
): Promise<{ status: number; body: string }> {
	const length = body.reduce((sum, part) => sum + part.length, 0);
	const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
		const request = http.request(
			url,
			{
				method: 'POST',
				agent,
				signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
				headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
			},
			resolve,
		);
		request.on('error', reject);
		for (const part of body) request.write(part);
		request.end();
	});
	return { status: response.statusCode ?? 0, body: await text(response) };
}
