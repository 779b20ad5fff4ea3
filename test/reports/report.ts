/** By the report, as README.md names it: what it says, and what is expected here. */
export type Reports<Said extends readonly unknown[]> = readonly (readonly [
	report: string,
	...said: Said,
])[];
