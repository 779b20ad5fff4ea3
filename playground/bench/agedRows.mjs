// Plain JavaScript for the Node that runs n8n: the one of the benchmark may know no SQLite.
// Usage: agedRows.mjs <database> <workflow> [older marks to add]. Prints the bytes of the workflow's rows of marks.
import { createHash, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

const [file, workflowId, older = '0'] = process.argv.slice(2);
const database = new DatabaseSync(file, { timeout: 5000 });

const read = () =>
	database
		.prepare('SELECT context, value FROM processed_data WHERE workflowId = ?')
		.all(workflowId)
		.filter((row) => Array.isArray(JSON.parse(row.value).data));

/** Of a mark that nobody asks for, as n8n makes them; see DeduplicationHelper in n8n. */
const oldMark = () => createHash('md5').update(randomUUID()).digest('base64');

function age({ context, value }) {
	const content = JSON.parse(value);
	// n8n adds marks at the end.
	const old = Array.from({ length: Number(older) }, oldMark);
	database
		.prepare('UPDATE processed_data SET value = ? WHERE workflowId = ? AND context = ?')
		.run(JSON.stringify({ ...content, data: [...old, ...content.data] }), workflowId, context);
}

if (Number(older) > 0) {
	read().forEach(age);
	// Or n8n would do that at its next write.
	database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
console.log(read().reduce((sum, { value }) => sum + Buffer.byteLength(value), 0));
database.close();
