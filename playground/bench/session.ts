import { mkdirSync, rmSync } from 'node:fs';
import { startN8n, type N8nOptions } from '../n8n';
import { freePort } from '../processes';
import { N8nClient } from '../rest';
import { OWNER } from '../setup';
import { installBenchNodes } from './package';

/** New n8ns with the nodes of the benchmark in them, and what has to be stopped at the end. */
export class Session {
	private readonly startedAt = Number(process.env.PLAYGROUND_STARTED_AT ?? Date.now());
	private readonly toStop: (() => Promise<void>)[] = [];
	private stopping: Promise<void> | undefined;

	private constructor(readonly userFolder: string) {}

	/** Runs a benchmark and ends the process, with everything stopped that was started. */
	static async run(userFolder: string, work: (session: Session) => Promise<void>): Promise<void> {
		const session = new Session(userFolder);
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => void session.stop().then(() => process.exit(1)));
		}
		rmSync(userFolder, { recursive: true, force: true });
		mkdirSync(userFolder, { recursive: true });
		const failed = await work(session).then(
			() => false,
			(error: unknown) => {
				// Once it is being stopped, nothing that fails is worth a word.
				if (!session.stopping) console.error(error);
				return true;
			},
		);
		// A signal decides itself when to exit.
		if (session.stopping) return;
		await session.stop();
		process.exit(failed ? 1 : 0);
	}

	readonly say = (line: string): void => {
		const seconds = ((Date.now() - this.startedAt) / 1000).toFixed(1).padStart(6);
		console.log(`[${seconds}s] ${line}`);
	};

	/** Has something stopped at the end, before what was started earlier. */
	onStop(stop: () => Promise<void>): void {
		this.toStop.push(stop);
	}

	/** Starts n8n and signs in. */
	async open(options?: N8nOptions) {
		installBenchNodes(this.userFolder);
		const n8n = await startN8n(this.userFolder, await freePort(), options);
		this.onStop(n8n.stop);
		this.say('n8n is starting');
		await n8n.ready();
		return { client: await N8nClient.signIn(n8n.baseUrl, OWNER), n8n };
	}

	/** Stops everything that was started, last first and only once. */
	private async stop(): Promise<void> {
		this.stopping ??= (async () => {
			for (const stop of this.toStop.reverse()) await stop();
		})();
		await this.stopping;
	}
}
