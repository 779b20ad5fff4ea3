import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY, HOUR } from '../../nodes/shared/time/clock';
import { pagesOf } from '../dataTables';
import { exampleBook } from '../e2e/contactBook';
import { exampleWith, hearEvents } from '../e2e/exampleWorkflows';
import { openOwnWorld, type OwnWorld } from '../e2e/ownWorld';
import { TRIGGER } from '../e2e/world';
import { itemsOf, UNFINISHED } from '../executions';
import { AT_ONCE_PER_PROCESS, inParallel } from '../parallel';
import { post } from '../post';
import type { SavedWorkflow, WorkflowDraft } from '../restTypes';
import { say } from '../say';
import { saveCredentials } from '../setup';
import type { Started } from '../started';
import { nodeOf } from '../workflows';
import { MovedClock } from './movedClock';
import type { Report } from './report';
import { reportOf, type PlacedCall } from './tenDaysReport';
import { drawEnds, listContacts, type Contact } from './tenDaysPeople';

const STATE = path.join(__dirname, '..', '.state');
const DAYS = 10;
const RUNS_A_DAY = 20;
/** So many calls have been placed when n8n is killed; the next is under way. */
const KILLED_AT = [60, 400, 700, 1000, 1200];
/** So many that the first calls take three days. */
const AT_MOST_PER_RUN = 25;
const LATENCY_MS = 30;
const RUN_PATH = 'ten-days';

/** An example in which the people of the sheet are these. */
function withPeople(file: string, all: readonly Contact[]): WorkflowDraft {
	const contacts = all.map(({ id, name, phone }) => ({ id, name, phone }));
	return exampleWith(file, { People: { jsonOutput: JSON.stringify({ contacts }) } });
}

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
	readonly #draw = drawEnds(7);
	readonly #killedAt = [...KILLED_AT];
	#due: { at: number; call: PlacedCall }[] = [];

	/** How often n8n was killed; of these runs, each second one is retried. */
	get kills(): number {
		return KILLED_AT.length - this.#killedAt.length;
	}

	constructor(
		private readonly world: OwnWorld,
		private readonly workflow: SavedWorkflow,
		private readonly clock: MovedClock,
	) {}

	/** Moves the clock of n8n and of the service. */
	moveTo(time: number): void {
		this.clock.moveTo(time);
		const { clock } = this.world.simulator;
		clock.advance(time - clock.now());
	}

	/** One run of the list; the events of earlier calls come before it or while it goes on. */
	async run(at: number, isQuiet: boolean): Promise<void> {
		this.moveTo(at);
		if (isQuiet) await this.deliver();
		await Promise.all([this.#execute(), this.deliver()]);
		const { calls } = this.world.simulator.state();
		for (const { id, toNumber, startedAt } of calls.slice(this.calls.length)) {
			const call: PlacedCall = { id, phone: toNumber, at: startedAt, end: this.#draw(startedAt) };
			this.calls.push(call);
			this.#due.push(...call.end.afterMs.map((afterMs) => ({ at: startedAt + afterMs, call })));
		}
	}

	/** Sends the events whose time has come. */
	async deliver(): Promise<void> {
		const now = this.clock.now();
		const due = this.#due.filter(({ at }) => at <= now);
		this.#due = this.#due.filter(({ at }) => at > now);
		await inParallel(due, AT_ONCE_PER_PROCESS, async ({ call }) => {
			const { simulator } = this.world;
			const event = simulator.state().calls.find(({ id }) => id === call.id)?.event;
			const deliveries = event
				? await simulator.deliverWebhook(event)
				: await simulator.endCall(call.id, call.end.properties);
			if (deliveries.every(({ status }) => status === 200)) call.takenAt ??= this.clock.now();
		});
	}

	async #execute(): Promise<void> {
		const { client, simulator } = this.world;
		await client.waitForWebhook(`/webhook/${RUN_PATH}`);
		await post(`${client.baseUrl}/webhook/${RUN_PATH}`, {});
		for (;;) {
			if (simulator.processed('placeCall').length >= (this.#killedAt[0] ?? Infinity)) {
				this.#killedAt.shift();
				await this.#kill();
				return;
			}
			const running = await client.executions(this.workflow.id, UNFINISHED);
			if (running.length === 0) return;
			await sleep(10);
		}
	}

	/** Kills n8n in the middle of a run, and retries that run every second time. */
	async #kill(): Promise<void> {
		const { client, crash } = this.world;
		await crash();
		const [latest] = await client.allFinished(this.workflow.id);
		if (latest?.status !== 'crashed') throw new Error('the run had ended before n8n was killed');
		if (this.kills % 2 !== 0) return;
		// It is not kept if it succeeds.
		await client.startRetry(latest.id);
		await client.allFinished(this.workflow.id);
	}
}

/** The midnight, in UTC, with which the last Monday before this time began. */
function lastMonday(time: number): number {
	const midnight = Math.floor(time / DAY) * DAY;
	return midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * DAY;
}

/** Runs the list, and says what became of everybody. */
export async function measureTenDays(started: Started, isQuick: boolean): Promise<Report> {
	const clock = new MovedClock(path.join(STATE, 'tenDays.clock'));
	const days = isQuick ? 2 : DAYS;
	const beganAt = lastMonday(Date.now() - (DAYS + 1) * DAY);
	clock.moveTo(beganAt - HOUR);
	const folder = path.join(STATE, 'tenDays');
	const world = started.add(await openOwnWorld(folder, { settings: clock.settings }));
	const { client, simulator } = world;
	await saveCredentials(client, simulator);
	simulator.setTraffic({ latencyMs: LATENCY_MS });
	const contacts = listContacts();
	for (const { phone, isRefused } of contacts)
		if (isRefused) simulator.addFault({ kind: 'status', status: 400, toNumber: phone });

	const workflow = await hearEvents(world, runAList(contacts), TRIGGER);
	const tenDays = new TenDays(world, workflow, clock);
	for (let day = 0; day < days; day++) {
		for (let run = 0; run < RUNS_A_DAY; run++) {
			const at = beganAt + day * DAY + (run * DAY) / RUNS_A_DAY;
			await tenDays.run(at, run % 2 === 0);
		}
		say(`day ${day + 1}: ${tenDays.calls.length} calls, n8n killed ${tenDays.kills} times`);
	}
	tenDays.moveTo(beganAt + (DAYS + 1) * DAY);
	await tenDays.deliver();
	const { id } = await client.createWorkflow(withPeople('list-report.json', contacts));
	const [report = {}] = itemsOf(await client.run(id, 'Every Evening'), 'Report Row');
	return reportOf({
		contacts,
		calls: tenDays.calls,
		rows: (await pagesOf(await exampleBook(client))).flat(),
		smsTo: simulator.processed('startSms').map(({ body }) => body),
		report,
		runs: days * RUNS_A_DAY,
		isOver: !isQuick,
		kills: tenDays.kills,
	});
}
