import axios from 'axios';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../test/loopback';
import { RateLimiter } from '../../test/simulator/rateLimiter';
import { eventually } from '../eventually';
import { itemsOf } from '../executions';
import { post } from '../post';
import { WEBHOOK_HEADER } from '../setup';
import { activateCalls, CALL_NODE, countOf, people, reached } from './calls';
import { ONCE_A_DAY, openBook, rowsOf } from './contactBook';
import { createTrigger, useWorld } from './world';

const world = useWorld();

async function startProxy(target: string, requestsPerSecond: number) {
	const limiter = new RateLimiter(requestsPerSecond);
	const asked: Record<string, number> = {};
	const server = createServer((incoming, outgoing) => {
		void (async () => {
			const { method = '', url = '', headers } = incoming;
			const data = await buffer(incoming);
			const wait = limiter.secondsToWait(performance.now());
			const count = (status: number) => {
				const name = `${method} ${status}`;
				asked[name] = (asked[name] ?? 0) + 1;
			};
			if (wait > 0) {
				count(429);
				outgoing.writeHead(429, { 'retry-after': String(wait), 'content-type': 'application/json' });
				outgoing.end('{"message":"Too many requests"}');
				return;
			}
			const { host: _, 'content-length': __, ...rest } = headers;
			const answer = await axios.request<Buffer>({
				...{ method, url: target + url, headers: rest as Record<string, string>, proxy: false },
				...(data.length > 0 && { data }),
				...{ responseType: 'arraybuffer', validateStatus: () => true },
			});
			count(answer.status);
			outgoing.writeHead(answer.status, { 'content-type': String(answer.headers['content-type']) });
			outgoing.end(answer.data);
		})();
	});
	return { asked, ...(await listen(server)) };
}

it('with two requests a second', async () => {
	const book = await openBook(world());
	const { client, simulator, secret } = book.world;
	const proxy = await startProxy(client.baseUrl, 2);
	const { assistantServiceApi: saved } = book.world.credentials;
	if (!saved) throw new Error('none');
	const data = { ...book.data, n8nUrl: proxy.baseUrl };
	const assistantServiceApi = await client.saveCredential('assistantServiceApi', saved.name, data);
	expect(await client.testCredential(assistantServiceApi, data)).toMatchObject({ status: 'OK' });
	const own = { ...book.world, credentials: { assistantServiceApi } };
	const trigger = await createTrigger(own, { authentication: 'secret' });
	simulator.setWebhooks([{ url: trigger.url, headers: { [WEBHOOK_HEADER]: secret } }]);
	const all = people(200, 60);
	const { workflow, path } = await activateCalls(client, own.credentials, { parameters: ONCE_A_DAY });
	const began = performance.now();
	const since = () => Math.round((performance.now() - began) / 100) / 10;
	await post(`${client.baseUrl}${path}`, { people: all });
	const deliveries: Promise<unknown>[] = [];
	for (let call = 0; call < 100; call++) {
		const placed = await eventually(`call ${call}`, () => Promise.resolve(simulator.state().calls[call]));
		deliveries.push(simulator.endCall(placed.id, { summary: `of ${placed.id}` }));
	}
	const placedAt = since();
	const [ended] = await client.finishedAfter('0', workflow.id, 1);
	const runAt = since();
	await Promise.all(deliveries);
	const answeredAt = since();
	const rows = await eventually('all rows', async () => {
		const now = await rowsOf(book);
		const done = now.filter(({ endedAt }) => endedAt !== null).length === 100;
		return done && now.every(({ outcome }) => outcome === 'accepted') ? now : undefined;
	});
	const doneAt = since();
	process.stderr.write(`${JSON.stringify({ placedAt, runAt, answeredAt, doneAt, asked: proxy.asked, rows: rows.length })}\n`);
	expect(rows).toHaveLength(200);
	expect(countOf(reached(simulator, all), 1)).toBe(200);
	expect(itemsOf(ended as never, CALL_NODE).map(({ result }) => result)).toEqual(all.map(() => 'placed'));
	for (const { summary, contactId } of rows) expect([null, `of ${String(contactId)}`]).toContain(summary);
	const events = await client.finishedAfter('0', trigger.workflowId, 100);
	const contacts = events.flatMap(trigger.outputOf).filter(({ contact }) => contact !== null);
	process.stderr.write(`contacts in events: ${contacts.length} of ${events.length}\n`);
	await proxy.stop();
}, 600_000);
