import type { IDataObject } from 'n8n-workflow';
import { DAY } from '../nodes/shared/time/clock';
import { pagesOf, type DataTable } from './dataTables';
import { inParallel } from './parallel';

const AT_ONCE = 10;
/** The columns of the contact book that rules of contact and reports go by. */
const TIMES = ['contactedAt', 'callBackAt', 'endedAt'];

/** Moves the times of a contact book back by a day, so that its rows are as if a day had passed since. */
export async function passDay(table: DataTable): Promise<void> {
	for (const page of await pagesOf(table)) {
		await inParallel(page, AT_ONCE, async (row) => {
			const times = TIMES.flatMap((name) => earlier(name, row[name]));
			if (times.length > 0) await table.update(row.id, Object.fromEntries(times));
		});
	}
}

const earlier = (name: string, iso: IDataObject[string]): [string, string][] =>
	typeof iso === 'string' ? [[name, new Date(Date.parse(iso) - DAY).toISOString()]] : [];
