import type { IGetNodeParameterOptions, IWebhookFunctions } from 'n8n-workflow';

/** A block of addresses; IPv4 is told apart from IPv6 by the number of bits. */
interface AddressBlock {
	readonly bits: 32 | 128;
	readonly address: bigint;
	/** How many leading bits count. */
	readonly prefix: number;
}

/** The longest entry or address of a client, in characters. An address with its range or zone is shorter. */
const MAX_LENGTH = 100;

/** IPv4 addresses as IPv6 writes them: `::ffff:192.0.2.1`. */
const MAPPED_PREFIX = 0xffffn;

/**
 * Reads the IP allowlist of a trigger. Returns no blocks if there is none.
 *
 * @throws Error as `parseAllowlist` does
 */
export function readAllowlist(
	context: Pick<IWebhookFunctions, 'getNodeParameter'>,
): AddressBlock[] {
	const list = (options?: IGetNodeParameterOptions): unknown =>
		context.getNodeParameter('options.ipAllowlist', '', options);
	return list({ rawExpressions: true }) === '' ? [] : parseAllowlist(list());
}

/**
 * Reads a list of IP addresses and CIDR ranges, separated by commas or white space.
 *
 * @throws Error that names the first entry that is neither, or says that there is no entry. An expression that finds
 *   nothing must not count as no list
 */
export function parseAllowlist(list: unknown): AddressBlock[] {
	const entries =
		typeof list === 'string' ? list.split(/[\s,]+/).filter((entry) => entry !== '') : [];
	if (entries.length === 0) throw new Error('it holds no IP address or range');
	return entries.map((entry) => {
		const block = parseBlock(entry);
		if (block === undefined) {
			const shown = entry.length > MAX_LENGTH ? `${entry.slice(0, MAX_LENGTH)}…` : entry;
			throw new Error(`"${shown}" is not an IP address or range, e.g. 192.0.2.10 or 2001:db8::/32`);
		}
		return block;
	});
}

/** True if there are no blocks, or the address of the client lies in one of them. */
export function isAllowed(blocks: readonly AddressBlock[], client: string | undefined): boolean {
	if (blocks.length === 0) return true;
	const address = client === undefined ? undefined : parseClient(client);
	return address !== undefined && blocks.some((block) => contains(block, address));
}

function contains(block: AddressBlock, { bits, address }: AddressBlock): boolean {
	const ignored = BigInt(block.bits - block.prefix);
	return block.bits === bits && block.address >> ignored === address >> ignored;
}

/** The address of a client, without its IPv6 zone. */
function parseClient(client: string): AddressBlock | undefined {
	const [address = ''] = client.length > MAX_LENGTH ? [] : client.split('%');
	return parseBlock(address);
}

function parseBlock(entry: string): AddressBlock | undefined {
	if (entry.length > MAX_LENGTH) return undefined;
	const match = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry);
	const [, host = '', length] = match ?? [];
	const ipv4 = parseIpv4(host);
	if (ipv4 !== undefined) return createBlock(32, ipv4, length);
	const ipv6 = parseIpv6(host);
	if (ipv6 === undefined) return undefined;
	const block = createBlock(128, ipv6, length);
	const isMapped = ipv6 >> 32n === MAPPED_PREFIX && block !== undefined && block.prefix >= 96;
	return isMapped ? { bits: 32, address: ipv6 & 0xffffffffn, prefix: block.prefix - 96 } : block;
}

function createBlock(
	bits: 32 | 128,
	address: bigint,
	length = String(bits),
): AddressBlock | undefined {
	const prefix = Number(length);
	return prefix <= bits ? { bits, address, prefix } : undefined;
}

/** Four decimal numbers; leading zeros are refused, since some read them as octal. */
function parseIpv4(text: string): bigint | undefined {
	const parts = text.split('.');
	const isValid =
		parts.length === 4 &&
		parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
	return isValid ? parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n) : undefined;
}

function parseIpv6(text: string): bigint | undefined {
	const halves = text.split('::');
	if (!text.includes(':') || halves.length > 2) return undefined;
	const [head, tail] = halves.map(parseGroups);
	if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
	const missing = 8 - head.length - (tail?.length ?? 0);
	const isComplete = halves.length === 2 ? missing >= 1 : missing === 0;
	if (!isComplete) return undefined;
	const groups = [...head, ...Array<bigint>(missing).fill(0n), ...(tail ?? [])];
	return groups.reduce((sum, group) => (sum << 16n) | group, 0n);
}

/** The 16-bit groups of a part of an IPv6 address; its last one may be written as IPv4. */
function parseGroups(text: string): bigint[] | undefined {
	if (text === '') return [];
	const groups: bigint[] = [];
	const parts = text.split(':');
	for (const [index, part] of parts.entries()) {
		const ipv4 = index === parts.length - 1 ? parseIpv4(part) : undefined;
		if (ipv4 !== undefined) groups.push(ipv4 >> 16n, ipv4 & 0xffffn);
		else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`));
		else return undefined;
	}
	return groups;
}
