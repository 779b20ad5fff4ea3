import fc from 'fast-check';

import { recipientNumber } from '../../nodes/shared/declaration/phoneNumber';
import { isListed, readNumbers } from '../../nodes/shared/rules/doNotContact';
import { useBookWorld } from '../engine/contactBook';
import { CONTINUE } from '../engine/contacts';
import { recipientOf } from '../simulator/recipient';
import { valueOf } from '../shared/samples';

const { simulator, calls, outputs, add } = useBookWorld();

const inDigitsFrom = (zero: number, digits: string): string =>
	digits.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));

/** What came out of a spreadsheet, a chat or a web page, of the number with these digits. */
type Spell = (digits: string) => unknown;

/** By the report, see README.md. */
const REFUSED: readonly (readonly [report: string, spell: Spell])[] = [
	['SpartnerNL/Laravel-Excel#1789', (n) => Number(n).toExponential(2).toUpperCase()],
	['alphagov/notifications-admin#4124', (n) => Number(n).toExponential(5).replace('.', ',')],
	['nyaruka/rapidpro#241', (n) => `${n}.0`],
	['nyaruka/rapidpro#241 with +', (n) => `+${n}.0`],
	['jmbilbao25/sms', (n) => -Number(n)],
	['jmbilbao25/sms with a half', (n) => Number(n) + 0.5],
	['rainabba/jquery-table2excel#112', (n) => `=${n.slice(0, 2)}-${n.slice(2)}`],
	['chatwoot/chatwoot#15334', (n) => `'+${n}`],
	['iris-connect/iris-client#443', (n) => ` "+${n}"`],
	['YetiForceCompany/YetiForceCRM#6585', () => '#ERROR!'],
	['jackocnr/intl-tel-input#2105 Arabic', (n) => `+${inDigitsFrom(0x660, n)}`],
	['jackocnr/intl-tel-input#2105 Persian', (n) => `+${inDigitsFrom(0x6f0, n)}`],
	['ringcentral/hubspot-embeddable-ringcentral-phone#212', (n) => `+${n} x 9`],
	['ringcentral/hubspot-embeddable-ringcentral-phone#265', (n) => `+${n}*227`],
	['espocrm/espocrm#3022', (n) => `+${n} ext. 543`],
	['espocrm/espocrm#3022 by #', (n) => `+${n} #543`],
	['espocrm/espocrm#3022 by a comma', (n) => `+${n},543`],
	['peeringdb/peeringdb#657', (n) => `+${n};ext=543`],
	['vercel/chat#955', (n) => `<tel:+${n}|+${n}>`],
	['devlikeapro/waha#1999', (n) => `${n}@lid`],
	['twilio/twilio-conversations-demo-android-kotlin#17', (n) => `whatsapp:+${n}`],
	['lehel-twilio/plugin-dialpad#22', (n) => `%2B${n}`],
	['Propaganistas/Laravel-Phone#23', (n) => `+0${n}`],
	['n8n-io/n8n#34409', () => 46205],
	['n8n-io/n8n#9624', () => 45092.847],
	['n8n-io/n8n#13119', () => 'Phone'],
	['ttsukagoshi/mail-merge-for-gmail#391', () => 'NA'],
	['hkjarral/AVA-AI-Voice-Agent-for-Asterisk#539', () => 'unknown'],
	['janimo/textsecure-qml#42', (n) => `+${n.slice(0, 5)} / ${n.slice(5)}`],
	['LogiPret/sms-mass-send', (n) => `work | +${n} : mobile | +15550300999`],
];

/** What is still the number. */
const SAME: typeof REFUSED = [
	['iris-connect/iris-client#443 with a space', (n) => ` +${n}`],
	['nhoizey/vscode-gremlins#204', (n) => `\u202a+${n.slice(0, 3)}\u200f${n.slice(3)}\u202c`],
	['rocketride-org/rocketride-server#521', (n) => `\t+${n}\n`],
	[
		'BasedHardware/omi#5542',
		(n) => `+${n.slice(0, 1)} (${n.slice(1, 4)}) ${n.slice(4, 7)}-${n.slice(7)}`,
	],
];

/** What dials the number within its country, if its country code has so many digits. */
const withoutCode = (digits: string, length = 1): string => digits.slice(length).replace(/^0+/, '');

/** What lacks the `+` or the country code: no recipient, and on a list of whom not to contact the same person. */
const WITHOUT_PLUS: typeof REFUSED = [
	['SpartnerNL/Laravel-Excel#1532', (n) => n],
	['postmanlabs/postman-app-support#13134', (n) => Number(n)],
	['autokitteh/kittehub#116', (n) => ` ${n}`],
	['2600hz/kazoo#1529', (n) => withoutCode(n).replace(/^(\d{3})(\d{3})/, '($1) $2-')],
	['civicrm/civicrm-core#684', (n) => `0${withoutCode(n)}`],
	['nyaruka/rapidpro#6998', (n) => `0${withoutCode(n, 3)}`],
];

/** All of them. */
const SPELLINGS = [...REFUSED, ...WITHOUT_PLUS, ...SAME];

/** The number that is spelt in a run. */
const DIGITS = '15550300006';

const NUMBER = `+${DIGITS}`;

test('a column with every spelling: the number is called where it is known, and no other one is', async () => {
	const items = SPELLINGS.map(([, spell]) => ({ to: spell(DIGITS) as string | number }));

	const output = await outputs(calls(items, {}, CONTINUE));

	const isKnown = SAME.map(([report]) => report);
	for (const [index, [report]] of SPELLINGS.entries()) {
		const { error, details, toNumber } = output[index] ?? {};
		const refused = { error: expect.any(String) as string, details: { outcome: 'notSent' } };
		const expected = isKnown.includes(report) ? { toNumber: NUMBER } : refused;
		expect({ report, error, details, toNumber }).toMatchObject({ report, ...expected });
	}
	const called = simulator().processed('placeCall').map(recipientOf);
	expect(called).toEqual(SAME.map(() => NUMBER));
});

const digits = fc.stringMatching(/^[1-9]\d{6,14}$/);

test.each(SPELLINGS)('%s: whatever the number is, no other one is called', (_, spell) => {
	fc.assert(
		fc.property(digits, (number) => {
			expect(['refused', `+${number}`]).toContain(valueOf(recipientNumber, spell(number)));
		}),
	);
});

/** Lists of whom not to contact that hold an entry beside a number. */
const listsWith = (listed: string, entry: unknown): [unknown[], string] => [
	[`+${listed}`, entry],
	`+${listed}\r\n${String(entry)},\n`,
];

test.each(SPELLINGS)('%s: on a list the person is found, or nobody is called', (_, spell) => {
	fc.assert(
		fc.property(digits, digits, (number, listed) => {
			for (const list of listsWith(listed, spell(number))) {
				const read = readNumbers(list);
				expect(read.kind !== 'read' || isListed(read.value, `+${number}`)).toBe(true);
			}
		}),
	);
});

test.each(SPELLINGS)('%s: in a row with doNotContact, too', async (report, spell) => {
	add({ phone: String(spell(DIGITS)), doNotContact: true });

	const [json] = await outputs(calls([{ to: NUMBER }], {}, CONTINUE));

	expect(json?.reason ?? json?.details).toEqual(
		REFUSED.some(([name]) => name === report)
			? expect.objectContaining({ outcome: 'notSent' })
			: 'doNotContact',
	);
	expect(simulator().requests).toEqual([]);
});

/** n8n-io/n8n#7443, adaltas/node-csv-parse#284: the first column begins with a file's mark. */
const MARKED_COLUMN = '\ufeffto';

test('a column that begins with a byte-order mark is no number, and is named', async () => {
	const [json] = await outputs(calls([{ [MARKED_COLUMN]: NUMBER }], {}, CONTINUE));

	expect(json?.error).toBe('To Number is empty (row 1); the item has "\\ufeffto"');
	expect(simulator().requests).toEqual([]);
});
