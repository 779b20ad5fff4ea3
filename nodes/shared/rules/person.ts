import type { IDataObject } from 'n8n-workflow';

import type { ContactRules } from './contactRules';

/** The person an item is for, also if a redirection reaches the test number instead. */
export interface Person {
	/** Cleaned; an unreadable number as it was entered, cut at {@link MAX_SHOWN} characters. */
	readonly toNumber: string;
	/** The user's own ID of the contact, if there is one. */
	readonly reference?: string;
	/** Without those that cannot be read. */
	readonly rules: ContactRules;
}

export type Named = Omit<Person, 'rules'>;

/** How much of a value that cannot be read is shown, in characters. */
export const MAX_SHOWN = 100;

/** Makes the part of the `details` of a failed item that says who it was for. */
export const personDetails = ({ toNumber, reference }: Named): IDataObject => ({
	toNumber,
	...(reference !== undefined && { reference }),
});

/** Makes the first columns of items that reach one person; `reason` is null unless held back. */
export const columnsOf = (
	person: Named,
	result: string,
	reason: string | null = null,
): IDataObject => ({ toNumber: person.toNumber, result, reason, ...personDetails(person) });

/** Names a person on one line: "+4915112345678 (crm-4711)". */
export const nameOf = ({ toNumber, reference }: Named): string =>
	reference === undefined
		? toNumber
		: `${toNumber} (${reference.replaceAll(/\s+/g, ' ').slice(0, MAX_SHOWN)})`;
