import { HOUR } from '../../nodes/shared/time/clock';
import { randomOf } from '../../test/engine/random';

/** Numbers that are reserved for fiction, by the zone that they are in. */
const BLOCKS = {
	'America/New_York': ['+121255501', '+164655501'],
	'America/Chicago': ['+131255501', '+177355501'],
	'America/Denver': ['+130355501', '+172055501'],
	'America/Los_Angeles': ['+121355501', '+132355501'],
	'Europe/London': ['+4420794600', '+4420794601'],
};
const NUMBERS_OF_BLOCK = 100;

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
	const zoned = Object.entries(BLOCKS).flatMap(([zone, blocks]) =>
		blocks.flatMap((block) =>
			Array.from({ length: NUMBERS_OF_BLOCK }, (_, index) => ({
				zone,
				phone: `${block}${String(index).padStart(2, '0')}`,
			})),
		),
	);
	// In the order of a sheet, which is not that of the zones.
	const random = randomOf(1);
	const shuffled = zoned.map((contact) => ({ ...contact, place: random() }));
	shuffled.sort((first, second) => first.place - second.place);
	return shuffled.map(({ zone, phone }, index) => ({
		...{ id: `C-${index}`, name: `Contact ${index}`, phone, zone, isRefused: index % 100 === 50 },
	}));
}

/** What becomes of a call, and how often of a hundred. */
const ENDINGS = {
	notReached: 10,
	callBack: 5,
	optOut: 1,
	lost: 2,
	reached: 82,
};

type Ending = keyof typeof ENDINGS;

/** The end of a call, as the service sends it. */
export interface End {
	ending: Ending;
	properties: Record<string, unknown>;
	/** How much later than the call each of its deliveries comes; none for a lost one. */
	afterMs: number[];
}

const MINUTE_MS = 60_000;

/** What becomes of one call after another, the same for the same seed. */
export function drawEnds(seed: number): (now: number) => End {
	const random = randomOf(seed);
	const drawEnding = (): Ending => {
		let left = random() * 100;
		for (const ending of ['notReached', 'callBack', 'optOut', 'lost'] as const) {
			left -= ENDINGS[ending];
			if (left < 0) return ending;
		}
		return 'reached';
	};
	return (now) => {
		const ending = drawEnding();
		const callBackAt = new Date(now + (2 + 28 * random()) * HOUR).toISOString();
		const properties = {
			notReached: random() < 0.5 ? { reached: 'no' } : { transcript: '' },
			callBack: { reached: 'yes', callBackAt },
			optOut: { reached: 'yes', optOut: 'yes' },
			lost: {},
			reached: { reached: 'yes' },
		}[ending];
		const first = random() < 0.1 ? 8 * HOUR * random() : 5 * MINUTE_MS;
		const second = random() < 0.05 ? [first + HOUR] : [];
		return { ending, properties, afterMs: ending === 'lost' ? [] : [first, ...second] };
	};
}
