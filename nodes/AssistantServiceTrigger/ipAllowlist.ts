import type { IGetNodeParameterOptions, IWebhookFunctions } from 'n8n-workflow';

import { shorten } from '../shared/values';

/** A block of IPv6 addresses; IPv4 stands among them as IPv6 writes it, `::ffff:192.0.2.1`. */
interface AddressBlock {
	readonly address: bigint;
	/** How many leading bits count, of 128. */
	readonly bits: number;
}

/** What all IPv4 addresses begin with as IPv6, before their last 32 bits. */
const MAPPED = 0xffffn;

/** Reads the IP allowlist of a trigger; no blocks if there is none. @throws as `parseAllowlist` */
export function readAllowlist(
	context: Pick<IWebhookFunctions, 'getNodeParameter'>,
): AddressBlock[] {
	const readOption = (options?: IGetNodeParameterOptions): unknown =>
		context.getNodeParameter('options.ipAllowlist', '', options);
	return readOption({ rawExpressions: true }) === '' ? [] : parseAllowlist(readOption());
}

/**
 * Reads a list of IP addresses and CIDR ranges, separated by commas or white space.
 *
 * @throws Error that names the first entry that is neither, or says that there is no entry. An
 *   expression that finds nothing must not count as no list
 */
export function parseAllowlist(list: unknown): AddressBlock[] {
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
export function isAllowed(blocks: readonly AddressBlock[], client = ''): boolean {
	if (blocks.length === 0) return true;
	const address = parseAddress(client.replace(/%[\w.-]{1,20}$/, ''));
	return address !== undefined && blocks.some((block) => contains(block, address));
}

/** A range that holds more than IPv4, e.g. `::/0`, lets in no IPv4 address. */
function contains({ address, bits }: AddressBlock, client: bigint): boolean {
	const ignored = BigInt(128 - bits);
	return (bits >= 96 || client >> 32n !== MAPPED) && address >> ignored === client >> ignored;
}

function parseBlock(entry: string): AddressBlock | undefined {
	const [, host = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
	const address = parseAddress(host);
	if (address === undefined) return undefined;
	const bits = (host.includes(':') ? 0 : 96) + Number(length ?? (host.includes(':') ? 128 : 32));
	return bits <= 128 ? { address, bits } : undefined;
}

/** Reads an address by the rules of URLs: no leading zeros in IPv4, which some read as octal. */
function parseAddress(text: string): bigint | undefined {
	if (!/^[\da-f:.]{2,45}$/i.test(text) || !/[.:]/.test(text)) return undefined;
	const url = `http://[${text.includes(':') ? text : `::ffff:${text}`}]`;
	if (!URL.canParse(url)) return undefined;
	const parts = new URL(url).hostname.slice(1, -1).split('::');
	const [before = [], after = []] = parts.map((part) => part.split(':').filter(Boolean));
	const zeros = Array<string>(8 - before.length - after.length).fill('0');
	const groups = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0'));
	return BigInt(`0x${groups.join('')}`);
}
