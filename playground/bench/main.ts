import path from 'node:path';
import { measureAged } from './aged';
import { measureBursts } from './bursts';
import { measureAgainst, measureItems, profile } from './items';
import { installEarlier } from './package';
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
async function openRig(session: Session): Promise<Rig> {
	const service = await startService();
	session.onStop(service.stop);
	const { client, n8n } = await session.open();
	const { baseUrl, apiKey, workspaceId } = service;
	const values = { baseUrl, apiKey, workspaceId, mode: 'live' };
	const credential = await client.saveCredential('assistantServiceApi', 'Bench', values);
	const { userFolder, ready: untilReady } = n8n;
	return { client, service, credential, userFolder, untilReady, say: session.say };
}

const options = process.argv.slice(2);
const has = (option: string): boolean => options.includes(option);
const isQuick = has('--quick');
const commit = options.find((option) => option.startsWith('--against='))?.split('=')[1];

void Session.run(USER_FOLDER, async (session) => {
	if (commit !== undefined) installEarlier(USER_FOLDER, commit);
	const tell = async (report: Report, isKept = !isQuick): Promise<void> => {
		console.log(reportText(report));
		if (isKept) await writeReport(report);
		if (report.isWrong) throw new Error('An event was lost, doubled or refused');
	};
	if (has('--trigger')) {
		await tell(await measureTrigger(session, isQuick));
		return;
	}
	const rig = await openRig(session);
	if (has('--profile')) {
		await profile(rig);
		return;
	}
	if (commit !== undefined) {
		await tell(await measureAgainst(rig), false);
		return;
	}
	const chosen = Object.keys(PARTS).some(has);
	for (const [option, measure] of Object.entries(PARTS)) {
		if (!chosen || has(option)) await tell(await measure(rig, isQuick));
	}
});
