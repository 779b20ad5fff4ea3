import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { nodeBinary } from '../../n8n';

const SCRIPT = path.join(__dirname, 'rows.mjs');

/** What n8n's database holds of the marks of a workflow. */
export interface Rows {
	bytes: number;
	marks: number;
}

/**
 * Reads the marks of a workflow in n8n's SQLite database. To be called while no execution is under way.
 *
 * @param times adds so many times the marks that are there, as older ones: what so many times the calls would have left
 */
export function marksIn(userFolder: string, workflowId: string, times = 0): Rows {
	const database = path.join(userFolder, '.n8n', 'database.sqlite');
	const command = ['--no-warnings', SCRIPT, database, workflowId, String(times)];
	return JSON.parse(execFileSync(nodeBinary(), command, { encoding: 'utf8' })) as Rows;
}
