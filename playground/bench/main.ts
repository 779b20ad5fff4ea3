import { rmSync } from 'node:fs';
import { runCommand } from '../command';
import { measureAged } from './aged';
import { measureBursts } from './bursts';
import { measureItems } from './items';
import { measureLists } from './lists';
import { USER_FOLDER } from './package';
import { reportText, writeReport } from './page';
import type { Report } from './report';
import { measureRetries } from './retries';
import { openRig } from './rig';
import { measureTenDays } from './tenDays';
import { measureTrigger } from './trigger';

/** In this order: the others teach the node limits, which it knows for a minute. */
const PARTS = {
	'--aged': measureAged,
	'--items': measureItems,
	'--lists': measureLists,
	'--retries': measureRetries,
	'--burst': measureBursts,
};

const options = process.argv.slice(2);
const has = (option: string): boolean => options.includes(option);
const isQuick = has('--quick');

function tell(report: Report): void {
	console.log(reportText(report));
	if (!isQuick) writeReport(report);
	if (report.isWrong) throw new Error('Something that must never be was measured');
}

void runCommand(async (started) => {
	rmSync(USER_FOLDER, { recursive: true, force: true });
	if (has('--trigger')) {
		tell(await measureTrigger(started, isQuick));
	} else if (has('--ten-days')) {
		tell(await measureTenDays(started, isQuick));
	} else {
		const rig = await openRig(started);
		const chosen = Object.keys(PARTS).some(has);
		for (const [option, measure] of Object.entries(PARTS)) {
			if (!chosen || has(option)) tell(await measure(rig, isQuick));
		}
	}
}, console.error);
