import type { IDataObject } from 'n8n-workflow';

import type { HeldBack, HoldReason } from '../rules/heldBack';
import { columnsOf, type Named } from '../rules/person';

/** Gives what is told of an item that is held back: without zones, that its number's is unknown. */
export const reasonOf = ({ reason, timezones }: HeldBack): ToldReason =>
	timezones?.length === 0 ? 'unknownZone' : reason;

export type ToldReason = HoldReason | 'unknownZone';

export const heldBackOutput = (
	{ reason, notBefore, timezones }: HeldBack,
	person: Named,
): IDataObject => ({
	...columnsOf(person, 'heldBack', reason),
	notBefore,
	...(timezones && { timezones: [...timezones] }),
});

/** Writes what a held-back item tells an agent: also what not to do again. */
export const heldBackForAgent = (heldBack: HeldBack, person: Named): IDataObject => ({
	...heldBackOutput(heldBack, person),
	message: `Nothing was sent: ${REASONS[reasonOf(heldBack)](person.toNumber)}. ${whenAgain(heldBack)}`,
});

const REASONS: Readonly<Record<ToldReason, (toNumber: string) => string>> = {
	doNotContact: (toNumber) => `${toNumber} is on the list of numbers that must not be contacted`,
	reached: (toNumber) => `${toNumber} was reached for this list`,
	resultOpen: (toNumber) => `${toNumber} was called, or may have been, and the result is not known`,
	attemptsUsed: (toNumber) => `${toNumber} was contacted as often as this list allows`,
	callBack: (toNumber) => `${toNumber} wants to be called back later`,
	contactedRecently: (toNumber) => `${toNumber} was contacted recently, or may have been`,
	contactedOften: (toNumber) => `${toNumber} was contacted as often as the rules allow`,
	unknownZone: (toNumber) =>
		`the time zone of ${toNumber} is not known, and so not whether people may be contacted there now`,
	outsideHours: () => 'the current time is outside the hours in which people may be contacted',
	runFull: () => 'this run has sent as many as it may',
};

const whenAgain = ({ reason, notBefore }: HeldBack): string => {
	if (reason === 'doNotContact')
		return 'Do not contact this person again, by this or another tool.';
	return notBefore === null
		? 'Do not repeat this tool call: no later time is known.'
		: `Do not repeat this tool call before ${notBefore}.`;
};
