import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { COLUMNS } from '../../nodes/shared/book/columns';
import type { DataTables } from '../contactBook/dataTablesServer';
import { useDataTables } from '../contactBook/useDataTables';
import { useTriggers, type TriggerServer } from '../engine/webhook';

export const BOOK = 'Contact book';

type Row = Readonly<Record<string, string | boolean | null>>;

export interface BookOfTrigger {
	readonly tables: () => DataTables;
	/** Makes the table with these rows. */
	readonly prepare: (...rows: Row[]) => Promise<void>;
	/** Starts the trigger with the switch, and with these changes of the book's credential. */
	readonly start: (
		parameters?: INodeParameters,
		changes?: ICredentialDataDecryptedObject | Error,
	) => Promise<TriggerServer>;
}

/** To be called once for each file of tests. Each test has Data Tables of its own. */
export function useBookOfTrigger(): BookOfTrigger {
	const startTrigger = useTriggers();
	const tables = useDataTables();
	return {
		tables,
		prepare: async (...rows) => {
			const table = tables().createTable(BOOK, COLUMNS);
			for (const row of rows) table.insert(row);
			await Promise.resolve();
		},
		start: async (parameters = {}, changes = {}) => {
			const { baseUrl, apiKey } = tables();
			const book =
				changes instanceof Error ? changes : { baseUrl, apiKey, table: BOOK, ...changes };
			return await startTrigger({
				parameters: { authentication: 'none', useContactBook: true, ...parameters },
				book,
			});
		},
	};
}
