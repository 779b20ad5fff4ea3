import { COLUMN_NAMES, COLUMNS, type ColumnName } from '../nodes/shared/book/columns';
import { row, table } from './operations';

/** What each column holds, for the people who look at the table. */
const HOLDS: Readonly<Record<ColumnName, string>> = {
	phone: 'The number, with `+` and digits. With **Redirect**, too, it is the number of the item.',
	contactedAt:
		'When the request was sent; while it is `claimed`, when the row was made. On PostgreSQL, add date columns with an n8n of June 2026 or later: earlier ones read them hours too early or too late.',
	outcome: 'What became of the contact: see [Outcomes](#outcomes).',
	doNotContact: 'True: this number is held back, in every mode.',
	reference: '**Reference** of the item: your own ID of the contact.',
	list: 'The **List** that the contact is of.',
	reached: '`yes` or `no`: whether the call reached the person.',
	callBackAt: 'When the person wants to be called again.',
	endedAt: 'When the end of the call came in.',
	summary: 'The summary of the call, cut at 2,000 characters.',
	operation: 'What was done, such as `call.place` or `sms.start`.',
	contactId: "The service's ID of the call, the message or the campaign.",
	mode: 'The mode of the credential: `live` or `redirect`.',
	workflow: 'The ID of the workflow.',
	execution: 'The ID of the execution.',
	claim: 'For the nodes only. Leave it as it is.',
	wait: 'For **Place and Wait** only. Leave it as it is.',
	resumeUrl: 'Where an execution that waits for the call is resumed. It holds a token.',
	callStartTime: 'When the call began, as the service sent it.',
	variables: 'What else the service sent, as JSON. Empty above 4,000 characters.',
};

/** The columns of the contact book, with their types in n8n. */
export const columnsTable = (): string =>
	table(
		['Column', 'Type', 'What it holds'],
		COLUMN_NAMES.map((name) => row(`\`${name}\``, COLUMNS[name], HOLDS[name])),
	);
