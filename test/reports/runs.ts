import type { IDataObject } from 'n8n-workflow';

import type { Reports } from './report';

/** The number of {@link NOTATIONS} and {@link AGENT_VALUES}. */
export const NUMBER = '+15550001000';

/** VenomVendor/DeduplicateSMS#9, WorkingFamilies/votivate#75: two people of one. */
export const NOTATIONS = [NUMBER, '0015550001000', '+1 (555) 000-1000', '+1.555.000\u00a01000'];

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

/**
 * n8n-io/n8n#15330, n8n-io/n8n#6510: Execute Once; n8n-io/n8n#12558, n8n-io/n8n#30050: the row of
 * an error.
 */
export const WITH_A_BAD_ROW = [{ to: NUMBER }, { to: 'x', name: 'Bob' }, { to: '+15550001002' }];

/** Rows of a sheet that name nobody: of one only its number is entered; a merged cell; a lookup. */
export const NOBODY: Reports<[row: IDataObject]> = [
	['ttsukagoshi/mail-merge-for-gmail#391', { row_number: 3 }],
	['dgilman/gspread_asyncio#62', { row_number: 4, to: '', name: 'Ada' }],
	['docs.simplified-webhooks.com/field-types', { row_number: 5, to: [NUMBER] }],
];

/** n8n-io/n8n#10730, n8n-io/n8n#6447: what the editor writes if a node's field is dragged. */
export const referencesTo = (node: string): string[] => [
	'$json.to',
	`$('${node}').item.json.to`,
	`$node["${node}"].json["to"]`,
];
