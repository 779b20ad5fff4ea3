import type { IDataObject } from 'n8n-workflow';

/** The number of {@link AGENT_VALUES}. */
export const NUMBER = '+15550001000';

/**
 * rocketride-org/rocketride-server#521, n8n-io/n8n#17241: what models fill in for the number, and
 * whether it is called.
 */
export const AGENT_VALUES: readonly (readonly [
	value: IDataObject[string] | string[],
	isCalled: boolean,
])[] = [
	[` ${NUMBER}\n`, true],
	[15550001000, false],
	['15550001000', false],
	['tel:+15550001000', false],
	[{ phone: NUMBER }, false],
	[[NUMBER], false],
	['N/A', false],
	['null', false],
	['None', false],
	['', false],
	[null, false],
];
