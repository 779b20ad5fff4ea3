import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../test/loopback';
import { jsonReply, type Reply } from '../../test/simulator/reply';
import type { Simulator } from '../../test/simulator/simulator';
import { WEBHOOK_SECRET } from '../setup';
import { ActionRefused, ACTIONS, isAction } from './actions';
import type { N8nBeside, Seen } from './beside';
import { FAULTS } from './faults';
import { sampleRows } from './samples';
import { viewOf } from './view';

const MAX_BODY = 1_000_000;

const FILES = new Map([
	['/', ['index.html', 'text/html']],
	['/page.css', ['page.css', 'text/css']],
	['/page.js', ['page.js', 'text/javascript']],
]);

const HEADERS = {
	'cache-control': 'no-store',
	'content-security-policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
};

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * Whether a request to a server on the loopback address cannot come from a web site that somebody has open: it names
 * the server by a loopback name (a name that a site controls could lead here), and has no origin but the server's own.
 */
const isOwnOrigin = ({ host = '', origin }: IncomingHttpHeaders): boolean =>
	LOOPBACK.test(host) && (origin === undefined || origin === `http://${host}`);

/**
 * Serves the page from which a person sees and steers a simulated service, on the loopback address. Requests of other
 * origins are refused, so that no web site can do it.
 */
export async function startPage(simulator: Simulator, n8n: N8nBeside, port = 0) {
	const start = {
		n8nUrl: n8n.url,
		email: n8n.email,
		password: n8n.password,
		bookUrl: `${n8n.url}/home/datatables`,
		samples: sampleRows(simulator),
		faultChoices: Object.entries(FAULTS).map(([id, { label }]) => [id, label]),
		secret: WEBHOOK_SECRET,
	};
	const http = createServer((request, response) => {
		void replyTo(request, simulator, start, n8n).then(({ status, headers, body }) => {
			response.writeHead(status, { ...HEADERS, ...headers }).end(body);
		});
	});
	const listening = await listen(http, port);
	return { url: `http://localhost:${listening.port}`, stop: listening.stop };
}

/** What n8n knows now, if it says so soon: a busy one does not hold the page up. */
const seenBy = async ({ look }: N8nBeside): Promise<Seen | undefined> =>
	await Promise.race([look().catch(() => undefined), sleep(3000, undefined, { ref: false })]);

async function replyTo(
	request: IncomingMessage,
	simulator: Simulator,
	start: object,
	n8n: N8nBeside,
): Promise<Reply> {
	const { method, url = '', headers } = request;
	if (!isOwnOrigin(headers)) return jsonReply(403, { error: 'Not for other origins' });
	const [, actionName] = /^\/actions\/(\w+)$/.exec(url) ?? [];
	if (actionName !== undefined && isAction(actionName)) {
		if (method !== 'POST')
			return jsonReply(405, { error: 'Method not allowed' }, { allow: 'POST' });
		return await act(simulator, actionName, request, n8n);
	}
	const isRead = method === 'GET';
	if (url === '/start' && isRead) return jsonReply(200, start);
	if (url === '/view' && isRead) return jsonReply(200, viewOf(simulator, await seenBy(n8n)));
	const [file, type] = FILES.get(url) ?? [];
	if (file === undefined || !isRead) return jsonReply(404, { error: 'Not found' });
	const body = readFileSync(path.join(__dirname, file), 'utf8');
	return { status: 200, headers: { 'content-type': `${type ?? ''}; charset=utf-8` }, body };
}

async function act(
	simulator: Simulator,
	name: keyof typeof ACTIONS,
	request: IncomingMessage,
	n8n: N8nBeside,
): Promise<Reply> {
	// A web site can send this content type only after it has asked, and it is never allowed.
	if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
		return jsonReply(415, { error: 'Expected application/json' });
	}
	try {
		const fields: unknown = JSON.parse(await bodyOf(request));
		return jsonReply(200, { message: await ACTIONS[name].run(simulator, fields, n8n) });
	} catch (error) {
		if (error instanceof ActionRefused) return jsonReply(400, { error: error.message });
		if (error instanceof SyntaxError) return jsonReply(400, { error: 'Expected JSON' });
		return jsonReply(500, { error: 'The page has failed.' });
	}
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request) {
		const bytes = Buffer.from(chunk as Uint8Array);
		size += bytes.length;
		if (size > MAX_BODY) throw new ActionRefused('This is too long.');
		chunks.push(bytes);
	}
	return Buffer.concat(chunks).toString();
}
