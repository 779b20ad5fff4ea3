import { execSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { freePort, startN8n } from '../n8n';
import { N8nClient } from '../rest';
import { OWNER, saveCredentials, WEBHOOK_HEADER } from '../setup';
import { startSimulator } from '../../test/simulator/simulator';
import { createTrigger, type World } from './world';
import { exchange } from './rawHttp';
import { fuzzRequest } from './fuzzRequests';

async function main() {
	const folder = path.join(__dirname, '..', '.state', 'adhoc');
	rmSync(folder, { recursive: true, force: true });
	const n8n = await startN8n(folder, await freePort());
	try {
		await n8n.ready();
		const client = await N8nClient.signIn(n8n.baseUrl, OWNER);
		const simulator = await startSimulator();
		const secret = 'secret-123e4567-e89b-12d3-a456-426614174000';
		const credentials = await saveCredentials(client, simulator, secret);
		const world: World = { client, simulator, credentials, secret };
		const trigger = await createTrigger(world, { authentication: 'secret', options: {} });
		const { port, pathname } = new URL(trigger.url);
		const timed = async (what: string, count: number, bytes: (i: number) => { bytes: Buffer; leaves: boolean }) => {
			const t = Date.now();
			const st: Record<string, number> = {};
			let next = 0;
			await Promise.all(Array.from({ length: 20 }, async () => {
				while (next < count) { const r = await exchange(Number(port), bytes(next++)); st[r.status] = (st[r.status] ?? 0) + 1; }
			}));
			console.log(what, count, Date.now() - t, 'ms', st, execSync('uptime').toString().trim().slice(-20));
		};
		const plain = (method: string, body: string, type = 'application/json') => () => ({ leaves: false, bytes: Buffer.from(`${method} ${pathname} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`) });
		await timed('warm 401', 200, plain('POST', '{"a":1}'));
		const pid = execSync(`pgrep -f "bin/n8n start" | head -1`).toString().trim();
		console.log('pid', pid);
		execSync(`kill -USR1 ${pid}`);
		await new Promise((r) => setTimeout(r, 1000));
		const list = await (await fetch('http://127.0.0.1:9229/json')).json() as any[];
		const ws = new WebSocket(list[0].webSocketDebuggerUrl);
		await new Promise((r) => { ws.onopen = r; });
		let id = 0; const pending = new Map<number, (v: any) => void>();
		ws.onmessage = (e: any) => { const m = JSON.parse(String(e.data)); pending.get(m.id)?.(m.result); };
		const cdp = (method: string, params: any = {}) => new Promise<any>((r) => { id++; pending.set(id, r); ws.send(JSON.stringify({ id, method, params })); });
		await cdp('Profiler.enable'); await cdp('Profiler.start');
		await timed('401', 600, plain('POST', '{"a":1}'));
		const { profile } = await cdp('Profiler.stop');
		writeFileSync('/tmp/n8n401.cpuprofile', JSON.stringify(profile));
		await timed('422', 300, plain('POST', '{"a":'));
		await timed('404 GET', 300, plain('GET', ''));
		const arb = fuzzRequest({ path: pathname, headerName: WEBHOOK_HEADER, secret });
		const list2 = fc.sample(arb, { seed: 5, numRuns: 600 }).map((f, i) => f(`m${i}`));
		await cdp('Profiler.start');
		await timed('fuzz', 600, (i) => list2[i]!);
		writeFileSync('/tmp/n8nfuzz.cpuprofile', JSON.stringify((await cdp('Profiler.stop')).profile));
		ws.close();
		await simulator.stop();
	} finally { await n8n.stop(); }
	process.exit(0);
}
void main();
