import { readId } from '../../../nodes/shared/declaration/pastedId';
import { uuid } from '../../../nodes/shared/declaration/schemas';
import { cpuTimeOf } from '../../cpuTime';
import { ASSISTANT_ID, OTHER_ID, valueOf } from '../samples';

const HOST = 'https://dashboard.example.com';
const encoded = OTHER_ID.replaceAll('-', '%2D');
const upper = OTHER_ID.toUpperCase();

test.each<[what: string, pasted: string, id?: string]>([
	['the ID alone', OTHER_ID],
	['a path that ends with it', `${HOST}/assistants/${OTHER_ID}`],
	['a path that goes on', `${HOST}/assistants/${OTHER_ID}/edit/?tab=2#prompt`],
	['a query', `${HOST}/edit?tab=2&assistantId=${OTHER_ID}`],
	['http and capital letters', `HTTP://EXAMPLE.COM/${upper}`, upper],
	['an encoded path', `${HOST}/%61/${encoded}`],
	['an encoded query', `${HOST}/?id=${encoded}`],
	['a broken encoding elsewhere', `${HOST}/100%/%zz/${OTHER_ID}`],
	['the same ID twice', `${HOST}/${OTHER_ID}?id=${upper}`],
	['a port and a user', `https://user:pass@example.com:8443/${OTHER_ID}`],
	['white space around it', `  ${HOST}/${OTHER_ID}\n`],
])('%s gives the ID', (_, pasted, id = OTHER_ID) => {
	expect(valueOf(uuid, pasted)).toBe(id);
});

const NONE = /^expected a UUID of 36 characters, or a web address/;
const SEVERAL = /several/;

test.each<[what: string, pasted: string, problem: RegExp]>([
	['two IDs in the path', `${HOST}/${ASSISTANT_ID}/${OTHER_ID}`, SEVERAL],
	['one in the path and one in the query', `${HOST}/${ASSISTANT_ID}?id=${OTHER_ID}`, SEVERAL],
	['one in the host', `https://${ASSISTANT_ID}.example.com/${OTHER_ID}`, SEVERAL],
	['one as the user', `https://${ASSISTANT_ID}@example.com/${OTHER_ID}`, SEVERAL],
	['one in the fragment', `${HOST}/${ASSISTANT_ID}#/${OTHER_ID}`, SEVERAL],
	['one that is encoded', `${HOST}/${OTHER_ID}?id=${ASSISTANT_ID.replaceAll('-', '%2d')}`, SEVERAL],
	['one within a longer value', `${HOST}/${OTHER_ID}?back=/x/${ASSISTANT_ID}`, SEVERAL],
	['one as the name in a query', `${HOST}/${OTHER_ID}?${ASSISTANT_ID}=1`, SEVERAL],
	['an ID in the host alone', `https://${OTHER_ID}.example.com/`, NONE],
	['an ID in the fragment alone', `${HOST}/#/${OTHER_ID}`, NONE],
	['a segment that only contains it', `${HOST}/assistant-${OTHER_ID}`, NONE],
	['a value that goes on', `${HOST}/?id=${OTHER_ID}-1`, NONE],
	['an encoded slash before it', `${HOST}/x%2F${OTHER_ID}`, NONE],
	['a twice encoded ID', `${HOST}/${OTHER_ID.replaceAll('-', '%252D')}`, NONE],
	['no ID', `${HOST}/assistants/4711`, NONE],
	['no protocol', `dashboard.example.com/${OTHER_ID}`, NONE],
	['another protocol', `ftp://example.com/${OTHER_ID}`, NONE],
	['no address', `http:// ${OTHER_ID}`, NONE],
	['an ID with spaces', OTHER_ID.replaceAll('-', ' '), NONE],
	['a very long address', `${HOST}/${OTHER_ID}/`.padEnd(100_000, 'x'), NONE],
	['a very long address of encoded letters', `${HOST}/${'%61'.repeat(33_000)}`, NONE],
	['a very long text', OTHER_ID.repeat(3_000), NONE],
])('%s is refused', (_, pasted, problem) => {
	expect(readId(pasted)).toEqual({ problem: expect.stringMatching(problem) as unknown });
	expect(cpuTimeOf(() => readId(pasted))).toBeLessThan(200);
});
