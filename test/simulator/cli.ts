import { parseArgs } from 'node:util';
import { startSimulator } from './simulator';

const USAGE =
	'tsx test/simulator/cli.ts [--port n] [--latency ms] [--requests-per-second n] [--call-duration ms] [--webhook URL[,header:value]]...';

function parseNumber(argument: string | undefined): number | undefined {
	if (argument === undefined || /^\d+$/.test(argument))
		return argument ? Number(argument) : undefined;
	throw new Error(`${argument} is not a number. ${USAGE}`);
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
		webhooks: values.webhook.map((target) => {
			const [url = '', ...headers] = target.split(',');
			const pairs = headers.map((header) => header.split(/\s*:\s*(.*)/, 2));
			return { url, headers: Object.fromEntries(pairs) as Record<string, string> };
		}),
	});
	const { baseUrl, apiKey, workspaceId } = simulator;
	console.log(`${baseUrl}  x-api-key: ${apiKey}  workspaceId: ${workspaceId}`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void simulator.stop());
	}
}

void main();
