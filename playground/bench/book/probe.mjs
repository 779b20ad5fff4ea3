// Loaded into n8n: tells for how long its event loop stood still at most, and what processor time it took, since it was asked last.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.env.BENCH_PROBE_PORT) {
	const port = Number(process.env.BENCH_PROBE_PORT);
	// Other processes that n8n starts must not ask for the port.
	delete process.env.BENCH_PROBE_PORT;
	const delay = monitorEventLoopDelay({ resolution: 5 });
	delay.enable();
	let since = process.cpuUsage();
	createServer((_, response) => {
		const { user, system } = process.cpuUsage(since);
		response.end(JSON.stringify({ silence: delay.max / 1e6, processor: (user + system) / 1e3 }));
		delay.reset();
		since = process.cpuUsage();
	}).listen(port, '127.0.0.1');
}
