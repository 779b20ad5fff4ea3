/** Why the contact book cannot be used, in a sentence, and what to do about it. */
export class BookProblem extends Error {
	constructor(
		message: string,
		readonly hint: string,
		/** The status of n8n's answer, 0 if none came; absent if the problem is not one of a request. */
		readonly status?: number,
	) {
		super(message);
	}

	/** True if it may be over soon: n8n fails, is busy, or does not answer. */
	get mayPass(): boolean {
		return this.status === 0 || this.status === 429 || (this.status ?? 0) >= 500;
	}
}

/** The problem of whatever was thrown. */
export const toBookProblem = (error: unknown): BookProblem =>
	error instanceof BookProblem
		? error
		: new BookProblem(
				`The contact book cannot be used: ${error instanceof Error ? error.message : 'unknown reason'}`,
				'Test the Assistant Service API credential.',
			);
