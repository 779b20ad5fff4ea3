import path from 'node:path';
import { measureAged } from './aged';
import { measureBook, settingsOf, startDatabase } from './book';
import { measureBursts } from './bursts';
import { measureItems } from './items';
import { reportText, writeReport } from './page';
import type { Report } from './report';
import type { Rig } from './rounds';
import { startService } from './service';
import { Session } from './session';
import { measureTrigger } from './trigger';

const USER_FOLDER = path.join(__dirname, '..', '.state', 'bench');

/** In this order: the others teach the node limits, which it knows for a minute. */
const PARTS = { '--aged': measureAged, '--items': measureItems, '--burst': measureBursts };

/** One n8n and one service for all parts. */
async function openRig(session: Session, settings?: Record<string, string>): Promise<Rig> {
	const service = await startService();
	session.onStop(service.stop);
	const { client, n8n } = await session.open({ settings });
	const { baseUrl, apiKey, workspaceId } = service;
	const values = { baseUrl, apiKey, workspaceId, mode: 'live' };
	const assistantServiceApi = await client.saveCredential('assistantServiceApi', 'Bench', values);
	const { userFolder, ready: untilReady } = n8n;
	const credentials = { assistantServiceApi };
	return { client, service, credentials, userFolder, untilReady, say: session.say };
}

const options = process.argv.slice(2);
const has = (option: string): boolean => options.includes(option);
const isQuick = has('--quick');

async function tell(report: Report): Promise<void> {
	console.log(reportText(report));
	if (!isQuick) await writeReport(report);
	if (report.isWrong) throw new Error('An event was lost, doubled or refused');
}

void Session.run(USER_FOLDER, async (session) => {
	if (has('--trigger')) {
		await tell(await measureTrigger(session, isQuick));
	} else if (has('--book')) {
		const database = await startDatabase();
		if (database) session.onStop(database.stop);
		await tell(await measureBook(await openRig(session, settingsOf(database)), isQuick));
	} else {
		const rig = await openRig(session);
		const chosen = Object.keys(PARTS).some(has);
		for (const [option, measure] of Object.entries(PARTS)) {
			if (!chosen || has(option)) await tell(await measure(rig, isQuick));
		}
	}
});
