import fc from 'fast-check';
import { BlockList, isIPv6 } from 'node:net';

import { isAllowed, parseAllowlist } from '../../nodes/AssistantServiceTrigger/ipAllowlist';

const allows = (list: string, client: string | undefined) =>
	isAllowed(parseAllowlist(list), client);

function messageOf(run: () => unknown): string {
	try {
		run();
		return 'nothing was thrown';
	} catch (error) {
		return (error as Error).message;
	}
}

test.each([
	['192.0.2.10', '192.0.2.10'],
	['192.0.2.10', '::ffff:192.0.2.10'],
	['::ffff:192.0.2.0/120', '192.0.2.77'],
	['2001:db8::1', '2001:0DB8:0:0:0:0:0:1'],
	['fe80::/10', 'fe80::1%eth0'],
	['::', '::'],
	['198.51.100.1, 192.0.2.10\n2001:db8::1', '2001:db8::1'],
])('%p lets %p in', (list, client) => {
	expect(allows(list, client)).toBe(true);
});

test.each([
	['192.0.2.10', undefined],
	['192.0.2.10', ''],
	['192.0.2.10', 'not an address'],
	['192.0.2.10', '192.0.2.10, 203.0.113.1'],
	['::ffff:192.0.2.0/90', '203.0.113.9'],
])('%p keeps %p out', (list, client) => {
	expect(allows(list, client)).toBe(false);
});

test.each([
	...'192.0.2 192.0.2.256 192.0.2.010 192.0.2.0/33 192.0.2.0/ 192.0.2.0/-1 example.com *'.split(
		' ',
	),
	...'2001:db8::/129 2001:db8:::1 1::2::3 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 12345::'.split(' '),
])('%p is an error, not an open door', (entry) => {
	expect(() => parseAllowlist(`192.0.2.1, ${entry}`)).toThrow(entry);
});

test('a long hostile text is kept out, and named in part', () => {
	const part = fc.constantFrom('%', '\n', ':', '::', '.', '/', '1', '0.', 'f:', '%\n', '١', 'a');
	const start = fc.constantFrom('', '192.0.2.10', 'fe80::1', 'fe80::1%', '192.0.2.10/', '::ffff:');
	const hostile = fc.tuple(start, part, part).map(([...parts]) => {
		const [head, repeated, end] = parts;
		return `${head}${repeated.repeat(100_000)}${end}`;
	});

	fc.assert(
		fc.property(hostile, (text) => {
			expect(allows('0.0.0.0/0, ::/0', text)).toBe(false);
			const list = `192.0.2.1, ${text.replaceAll('\n', '!')}`;
			expect(messageOf(() => parseAllowlist(list))).toMatch(/^"[^"]{1,101}" is not an IP address/);
		}),
	);
});

test('no list lets all in', () => {
	expect([isAllowed([], '192.0.2.1'), isAllowed([], undefined)]).toEqual([true, true]);
});

test.each(['', ' ', ',', undefined, null, false, 10, {}])('%p in its place is an error', (list) => {
	expect(() => parseAllowlist(list)).toThrow(/no IP address/);
});

test('any range and any address are judged as Node.js does', () => {
	const range = fc.oneof(
		fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
		fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
	);
	fc.assert(
		fc.property(range, fc.oneof(fc.ipV4(), fc.ipV6()), ([host, prefix], client) => {
			const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
			// Mapped addresses are one family here on purpose.
			fc.pre(![host, client].some((address) => /^(?:0*:)+:?(?:0*:)*ffff:/i.test(address)));
			const node = new BlockList();
			node.addSubnet(host, prefix, family(host));
			expect(allows(`${host}/${prefix}`, client)).toBe(
				family(host) === family(client) && node.check(client, family(client)),
			);
		}),
		{ numRuns: 2000 },
	);
});
