import { sleep } from 'n8n-workflow';

/** Why the contact book cannot be used, in a sentence, and what to do about it. */
export class BookProblem extends Error {
	constructor(
		message: string,
		readonly hint: string,
		/** The status of n8n's answer, 0 if none came; absent if the problem is not of a request. */
		readonly status?: number,
	) {
		super(message);
	}

	/** True if it may be over soon: n8n fails or does not answer. */
	get mayPass(): boolean {
		return this.status === 0 || (this.status ?? 0) >= 500;
	}
}

/** Makes a problem of whatever was thrown. */
export function toBookProblem(error: unknown): BookProblem {
	if (error instanceof BookProblem) return error;
	const what = `The contact book cannot be used: ${error instanceof Error ? error.message : 'unknown reason'}`;
	return new BookProblem(what, 'Test the Assistant Service API credential.');
}

/** How often n8n is asked if it fails, and how long is waited in between, in milliseconds. */
const MAX_TRIES = 3;
const BETWEEN = 500;

/** Does something, some more times if n8n fails or does not answer. @throws BookProblem */
export async function withRetries<T>(work: () => Promise<T>, left = MAX_TRIES - 1): Promise<T> {
	return await work().catch(async (error: unknown) => {
		const problem = toBookProblem(error);
		if (left === 0 || !problem.mayPass) throw problem;
		await sleep(BETWEEN);
		return await withRetries(work, left - 1);
	});
}

/** Nobody can claim a contact then. */
export const ROWS_GONE = new BookProblem(
	'Rows that were just added to the contact book are gone',
	'Enter the address of n8n itself as "n8n URL", without a proxy or cache in between. A workflow that removes rows must keep those of the last hour.',
);
