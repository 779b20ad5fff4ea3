import type { Claiming } from '../../../nodes/shared/book/claims';
import type { Seen } from '../../../nodes/shared/book/view';

export const ADA = '+15550001000';

/** Whether the rules allow a contact to somebody who was contacted so often. */
export const atMost =
	(most: number) =>
	({ contacts, isOptedOut }: Seen): string | undefined =>
		contacts.filter(({ outcome }) => outcome !== 'notMade').length > most || isOptedOut
			? undefined
			: 'item';

/** By default, nobody else may contact or claim the number. */
export const claimingOf = (of: Partial<Claiming> = {}): Claiming => ({
	phone: ADA,
	mode: 'live',
	maxWait: 60_000,
	values: {},
	isExclusive: true,
	mayClaim: atMost(0),
	...of,
});
