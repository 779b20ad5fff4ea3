import { existsSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY, HOUR } from '../../nodes/shared/time/clock';
import { randomOf } from '../../test/engine/random';
import { pagesOf } from '../dataTables';
import { exampleBook } from '../e2e/contactBook';
import { exampleWith, hearEvents } from '../e2e/exampleWorkflows';
import { openOwnWorld, type OwnWorld } from '../e2e/ownWorld';
import { itemsOf, UNFINISHED } from '../executions';
import { AT_ONCE_PER_PROCESS, inParallel } from '../parallel';
import { post } from '../post';
import type { SavedWorkflow, WorkflowDraft } from '../restTypes';
import { say } from '../say';
import { saveCredentials } from '../setup';
import type { Started } from '../started';
import { nodeOf } from '../workflows';
import type { Report } from './report';
import { drawEnd, listContacts, type Contact } from './tenDaysPeople';
import { reportOf, type PlacedCall } from './tenDaysReport';

const STATE = path.join(__dirname, '..', '.state');
/** Where n8n reads how far its clock is moved. */
const CLOCK_FILE = path.join(STATE, 'tenDays.clock');
/** The settings of an n8n whose clock can be moved. Its timers take as long as ever. */
const MOVED_CLOCK = {
	// Debian's; the loader puts the folder of this kind of processor for $LIB.
	LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1',
	FAKETIME_TIMESTAMP_FILE: CLOCK_FILE,
	FAKETIME_NO_CACHE: '1',
	DONT_FAKE_MONOTONIC: '1',
	NO_FAKE_STAT: '1',
	N8N_USER_MANAGEMENT_JWT_DURATION_HOURS: '1000',
};
/** A Monday. */
const BEGAN_AT = Date.parse('2026-06-01T00:00:00Z');
const DAYS = 10;
const RUNS_A_DAY = 20;
/** When so many calls have been placed, n8n is killed; the next is under way. */
const KILLED_AT = [60, 400, 700, 1000, 1200];
/** So many that the first calls take three days. */
const AT_MOST_PER_RUN = 25;
const LATENCY_MS = 30;
const RUN_PATH = 'ten-days';

/** Moves the clock of n8n, which goes on from there as fast as the real one. */
function moveClock(time: number): void {
	const seconds = ((time - Date.now()) / 1000).toFixed(3);
	// Never half a file: n8n reads it whenever it asks for the time.
	writeFileSync(`${CLOCK_FILE}.new`, seconds.startsWith('-') ? seconds : `+${seconds}`);
	renameSync(`${CLOCK_FILE}.new`, CLOCK_FILE);
}

/** An example in which the people of the sheet are these. */
const withPeople = (file: string, contacts: readonly Contact[]): WorkflowDraft =>
	exampleWith(file, { People: { jsonOutput: JSON.stringify({ contacts }) } });

/** The example *Run a list* with a slower pace, started by an address in place of its schedule. */
function runAList(contacts: readonly Contact[]): WorkflowDraft {
	const draft = withPeople('run-a-list.json', contacts);
	const parameters = { httpMethod: 'POST', path: RUN_PATH, responseMode: 'onReceived' };
	const type = 'n8n-nodes-base.webhook';
	Object.assign(nodeOf(draft, 'Every Hour'), { type, typeVersion: 2, parameters });
	const { contactRules } = nodeOf(draft, 'Place Call').parameters;
	Object.assign(contactRules ?? {}, { atMostPerRun: AT_MOST_PER_RUN });
	return draft;
}

/** A list of a thousand people that is run for ten days, while n8n is killed and events go their own ways. */
class TenDays {
	readonly calls: PlacedCall[] = [];
	/** How often n8n was killed; of these runs, each second one is retried. */
	kills = 0;
	readonly #random = randomOf(7);

	constructor(
		private readonly world: OwnWorld,
		private readonly workflow: SavedWorkflow,
	) {}

	/** Moves the clock of n8n and of the service. */
	moveTo(time: number): void {
		moveClock(time);
		const { clock } = this.world.simulator;
		clock.advance(time - clock.now());
	}

	/** Runs the list once; the events of earlier calls come before it or while it goes on. */
	async run(at: number, isQuiet: boolean): Promise<void> {
		this.moveTo(at);
		if (isQuiet) await this.deliver();
		await Promise.all([this.#execute(), this.deliver()]);
		const { calls } = this.world.simulator.state();
		for (const { id, toNumber: phone, startedAt } of calls.slice(this.calls.length))
			this.calls.push({ id, phone, at: startedAt, ...drawEnd(this.#random, startedAt) });
	}

	/** Sends the events whose time has come. */
	async deliver(): Promise<void> {
		const { simulator } = this.world;
		const now = simulator.clock.now();
		const due = this.calls.flatMap((call) => {
			const events = call.dueAt.filter((at) => at <= now).map(() => call);
			call.dueAt = call.dueAt.filter((at) => at > now);
			return events;
		});
		await inParallel(due, AT_ONCE_PER_PROCESS, async (call) => {
			const event = simulator.state().calls.find(({ id }) => id === call.id)?.event;
			const deliveries = event
				? await simulator.deliverWebhook(event)
				: await simulator.endCall(call.id, call.properties);
			if (deliveries.every(({ status }) => status === 200)) call.takenAt ??= simulator.clock.now();
		});
	}

	async #execute(): Promise<void> {
		const { client, simulator } = this.world;
		await client.waitForWebhook(`/webhook/${RUN_PATH}`);
		await post(`${client.baseUrl}/webhook/${RUN_PATH}`, {});
		while ((await client.executions(this.workflow.id, UNFINISHED)).length > 0) {
			if (simulator.processed('placeCall').length >= (KILLED_AT[this.kills] ?? Infinity))
				await this.#kill();
			else await sleep(10);
		}
	}

	/** Kills n8n in the middle of a run, and retries that run every second time. */
	async #kill(): Promise<void> {
		const { client, crash } = this.world;
		this.kills++;
		await crash();
		const [latest] = await client.allFinished(this.workflow.id);
		if (latest?.status !== 'crashed') throw new Error('the run had ended before n8n was killed');
		if (this.kills % 2 !== 0) return;
		// It is not kept if it succeeds.
		await client.startRetry(latest.id);
		await client.allFinished(this.workflow.id);
	}
}

/** Runs the list, and says what became of everybody. */
export async function measureTenDays(started: Started, isQuick: boolean): Promise<Report> {
	if (!existsSync('/usr/bin/faketime'))
		throw new Error('faketime is not installed: sudo apt-get install faketime');
	moveClock(BEGAN_AT - HOUR);
	const folder = path.join(STATE, 'tenDays');
	const world = started.add(await openOwnWorld(folder, { settings: MOVED_CLOCK }));
	const { client, simulator } = world;
	await saveCredentials(client, simulator);
	simulator.setTraffic({ latencyMs: LATENCY_MS });
	const contacts = listContacts();
	for (const { phone, isRefused } of contacts)
		if (isRefused) simulator.addFault({ kind: 'status', status: 400, toNumber: phone });

	const tenDays = new TenDays(world, await hearEvents(world, runAList(contacts)));
	const runs = (isQuick ? 2 : DAYS) * RUNS_A_DAY;
	for (let run = 0; run < runs; run++) {
		await tenDays.run(BEGAN_AT + (run * DAY) / RUNS_A_DAY, run % 2 === 0);
		const { calls, kills } = tenDays;
		say(`run ${run + 1} of ${runs}: ${calls.length} calls, n8n killed ${kills} times`);
	}
	tenDays.moveTo(BEGAN_AT + (DAYS + 1) * DAY);
	await tenDays.deliver();
	const { id } = await client.createWorkflow(withPeople('list-report.json', contacts));
	const [report = {}] = itemsOf(await client.run(id, 'Every Evening'), 'Report Row');
	return reportOf({
		...{ contacts, calls: tenDays.calls, kills: tenDays.kills, runs, isOver: !isQuick, report },
		rows: (await pagesOf(await exampleBook(client))).flat(),
		messages: simulator.processed('startSms'),
	});
}
