// Plain JavaScript for the Node that runs n8n: the one of the tests may know no SQLite. n8n is not to run meanwhile.
// Usage: passTime.mjs <user folder> <execution> <seconds>. Lets pass what an execution waits, but for these seconds.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const [userFolder, execution, seconds] = process.argv.slice(2);
const database = new DatabaseSync(path.join(userFolder, '.n8n', 'database.sqlite'));
const goesOnAt = new Date(Date.now() + Number(seconds) * 1000);
const { changes } = database
	.prepare("UPDATE execution_entity SET waitTill = ? WHERE id = ? AND status = 'waiting'")
	.run(goesOnAt.toISOString().replace('T', ' ').replace('Z', ''), execution);
database.close();
if (changes !== 1) throw new Error(`execution ${execution} does not wait`);
