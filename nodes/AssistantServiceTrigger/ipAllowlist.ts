import type { IWebhookFunctions } from 'n8n-workflow';

import { shorten } from '../shared/values';

/** The bits that IPv4 addresses begin with as IPv6 writes them, `::ffff:192.0.2.1`. */
const MAPPED = '0'.repeat(80) + '1'.repeat(16);

/** Reads the IP allowlist of a trigger; no blocks if there is none. @throws as `parseAllowlist` */
export function readAllowlist(context: Pick<IWebhookFunctions, 'getNodeParameter'>): string[] {
	const name = 'options.ipAllowlist';
	const entered: unknown = context.getNodeParameter(name, '', { rawExpressions: true });
	return entered === '' ? [] : parseAllowlist(context.getNodeParameter(name, ''));
}

/**
 * Reads a list of IP addresses and CIDR ranges, separated by commas or white space.
 *
 * @returns blocks of addresses, each by the first of their 128 bits as a text of `0` and `1`
 * @throws Error that names the first entry that is neither, or says that there is no entry. An
 *   expression that finds nothing must not count as no list
 */
export function parseAllowlist(list: unknown): string[] {
	const entries =
		typeof list === 'string' ? list.split(/[\s,]+/).filter((entry) => entry !== '') : [];
	if (entries.length === 0) throw new Error('it holds no IP address or range');
	return entries.map((entry) => {
		const block = parseBlock(entry);
		if (block !== undefined) return block;
		throw new Error(
			`"${shorten(entry)}" is not an IP address or range, e.g. 192.0.2.10 or 2001:db8::/32`,
		);
	});
}

/** Says whether the client's address, without its IPv6 zone, is in a block, or there are none. */
export function isAllowed(blocks: readonly string[], client = ''): boolean {
	if (blocks.length === 0) return true;
	const address = bitsOf(client.replace(/%[\w.-]{1,20}$/, ''));
	return address !== undefined && blocks.some((block) => contains(block, address));
}

/** A range that holds more than IPv4, e.g. `::/0`, lets in no IPv4 address. */
const contains = (block: string, address: string): boolean =>
	address.startsWith(block) && (block.length >= MAPPED.length || !address.startsWith(MAPPED));

function parseBlock(entry: string): string | undefined {
	const [, host = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
	const bits = host.includes(':') ? Number(length ?? 128) : MAPPED.length + Number(length ?? 32);
	return bits > 128 ? undefined : bitsOf(host)?.slice(0, bits);
}

/** Reads an address by the rules of URLs: no leading zeros in IPv4, which some read as octal. */
function bitsOf(text: string): string | undefined {
	if (!/^[\da-f:.]{2,45}$/i.test(text) || !/[.:]/.test(text)) return undefined;
	const url = `http://[${text.includes(':') ? text : `::ffff:${text}`}]`;
	if (!URL.canParse(url)) return undefined;
	const parts = new URL(url).hostname.slice(1, -1).split('::');
	const [before = [], after = []] = parts.map((part) => part.split(':').filter(Boolean));
	const zeros = Array<string>(8 - before.length - after.length).fill('0');
	const groups = [...before, ...zeros, ...after].map((group) => parseInt(group, 16));
	return groups.map((group) => group.toString(2).padStart(16, '0')).join('');
}
