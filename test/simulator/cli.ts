import { parseArgs } from 'node:util';
import type { WebhookTarget } from './contract';
import { startSimulator } from './simulator';

const USAGE =
	'tsx test/simulator/cli.ts [--port n] [--latency ms] [--requests-per-second n] [--call-duration ms] [--webhook URL[,header:value]]...';

/** "URL" or "URL,header:value,..." */
function parseWebhook(argument: string): WebhookTarget {
	const [url = '', ...headers] = argument.split(',');
	return {
		url,
		headers: Object.fromEntries(
			headers.map((header) => {
				const [name = '', ...value] = header.split(':');
				return [name.trim(), value.join(':').trim()];
			}),
		),
	};
}

function parseNumber(argument: string | undefined): number | undefined {
	if (argument === undefined) return undefined;
	const number = Number(argument);
	if (!Number.isInteger(number) || number < 0)
		throw new Error(`${argument} is not a number. ${USAGE}`);
	return number;
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '5680' },
			latency: { type: 'string' },
			'requests-per-second': { type: 'string' },
			'call-duration': { type: 'string' },
			webhook: { type: 'string', multiple: true, default: [] },
		},
	});
	const simulator = await startSimulator({
		port: parseNumber(values.port),
		latencyMs: parseNumber(values.latency),
		requestsPerSecond: parseNumber(values['requests-per-second']),
		callDurationMs: parseNumber(values['call-duration']),
		webhooks: values.webhook.map(parseWebhook),
	});
	const { baseUrl, apiKey, workspaceId } = simulator;
	console.log(`${baseUrl}  x-api-key: ${apiKey}  workspaceId: ${workspaceId}`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void simulator.stop());
	}
}

void main();
