import { HOUR } from '../../nodes/shared/time/clock';

/** Numbers that are reserved for fiction, but for their last two digits, by the zone that they are in. */
const BLOCKS = {
	'America/New_York': ['+121255501', '+164655501'],
	'America/Chicago': ['+131255501', '+177355501'],
	'America/Denver': ['+130355501', '+172055501'],
	'America/Los_Angeles': ['+121355501', '+132355501'],
	'Europe/London': ['+4420794600', '+4420794601'],
};
const HUNDRED = Array.from({ length: 100 }, (_, index) => index);

/** Somebody on the list, as the sheet has them. */
export interface Contact {
	id: string;
	name: string;
	phone: string;
	zone: string;
	/** The service refuses each call to them. */
	isRefused: boolean;
}

/** One thousand people, of whom one in a hundred cannot be called. */
export function listContacts(): Contact[] {
	const numbers = Object.entries(BLOCKS).flatMap(([zone, blocks]) =>
		HUNDRED.flatMap((last) =>
			blocks.map((block) => ({ zone, phone: `${block}${String(last).padStart(2, '0')}` })),
		),
	);
	return numbers.map((_, index) => {
		// In the order of a sheet, which is not that of the zones.
		const { zone = '', phone = '' } = numbers[(index * 387) % numbers.length] ?? {};
		const isRefused = index % 100 === 50;
		return { id: `C-${index}`, name: `Contact ${index}`, phone, zone, isRefused };
	});
}

/** What becomes of a call, and how often of a hundred. */
const ENDINGS = { notReached: 10, callBack: 5, optOut: 1, lost: 2, reached: 82 };
export type Ending = keyof typeof ENDINGS;
const ENDINGS_OF_HUNDRED = (Object.keys(ENDINGS) as Ending[]).flatMap((ending) =>
	HUNDRED.slice(0, ENDINGS[ending]).map(() => ending),
);

/** The end of a call, as the service sends it. */
export interface End {
	ending: Ending;
	properties: Record<string, unknown>;
	/** When each of its deliveries comes, in ms since the epoch; none for a lost one. */
	dueAt: number[];
}

/** What becomes of a call that begins now. */
export function drawEnd(random: () => number, now: number): End {
	const ending = ENDINGS_OF_HUNDRED[Math.floor(random() * 100)] ?? 'reached';
	const callBackAt = new Date(now + (2 + 28 * random()) * HOUR).toISOString();
	const properties = {
		notReached: random() < 0.5 ? { reached: 'no' } : { transcript: '' },
		callBack: { reached: 'yes', callBackAt },
		optOut: { reached: 'yes', optOut: 'yes' },
		lost: {},
		reached: { reached: 'yes' },
	}[ending];
	const first = now + (random() < 0.1 ? 8 * random() : 1 / 12) * HOUR;
	const second = random() < 0.05 ? [first + HOUR] : [];
	return { ending, properties, dueAt: ending === 'lost' ? [] : [first, ...second] };
}
