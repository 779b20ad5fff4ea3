import { usePage } from './page';

const { simulator, url, request } = usePage();
const json = { 'content-type': 'application/json' };

const reset = async (headers: Record<string, string>, data: unknown = {}) =>
	await request('/actions/reset', { method: 'POST', data, headers });

it('serves the page, which loads nothing from elsewhere', async () => {
	const { status, headers, data } = await request('/');
	expect(status).toBe(200);
	expect(headers['content-security-policy']).toContain("default-src 'none'");
	expect(data).toContain('<h1>Simulated service</h1>');
	for (const file of ['/page.js', '/page.css']) expect((await request(file)).status).toBe(200);
	expect((await request('/server.ts')).status).toBe(404);
});

it('listens on the loopback address only', async () => {
	const { port } = new URL(url());
	const other = { baseURL: `http://127.0.0.2:${port}`, url: '/' };
	await expect(request('', other)).rejects.toThrow('ECONNREFUSED');
});

it('refuses what a web site could send', async () => {
	simulator().addFault({ kind: 'html' });
	const { host, port } = new URL(url());
	for (const headers of [
		{ ...json, origin: 'https://site.example' },
		{ ...json, origin: 'null' },
		{ ...json, origin: `http://127.0.0.1:${Number(port) + 1}` },
		{ ...json, host: `site.example:${port}` },
		{ ...json, host: `127.0.0.1.site.example:${port}` },
	]) {
		expect((await reset(headers)).status).toBe(403);
	}
	expect((await reset({ 'content-type': 'text/plain' }, '{}')).status).toBe(415);
	expect((await request('/view', { headers: { host: 'site.example' } })).status).toBe(403);
	expect(simulator().faults).toHaveLength(1);
	expect((await reset({ ...json, origin: `http://${host}` })).status).toBe(200);
	expect(simulator().faults).toHaveLength(0);
});
