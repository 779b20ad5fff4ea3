import { rmSync } from 'node:fs';
import { runCommand } from '../command';
import { measureAged } from './aged';
import { measureBursts } from './bursts';
import { measureItems } from './items';
import { measureLists } from './lists';
import { reportText, writeReport, type Report } from './report';
import { openRig, USER_FOLDER } from './rig';
import { measureTenDays } from './tenDays';
import { measureTrigger } from './trigger';

/** In this order: the others teach the node limits, which it knows for a minute. */
const STUDIES = {
	'--aged': measureAged,
	'--items': measureItems,
	'--lists': measureLists,
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
		const chosen = Object.entries(STUDIES).filter(([option]) => has(option));
		for (const [, measure] of chosen.length > 0 ? chosen : Object.entries(STUDIES))
			tell(await measure(rig, isQuick));
	}
}, console.error);
