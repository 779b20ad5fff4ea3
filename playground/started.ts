/** Something that runs until it is stopped; some can also be killed, without a chance to tidy up. */
interface Running {
	stop: () => Promise<void>;
	kill?: () => Promise<void>;
}

/** What was started together: it is stopped last first and only once. */
export class Started {
	private readonly all: Running[] = [];
	private stopping: Promise<void> | undefined;

	get isStopping(): boolean {
		return this.stopping !== undefined;
	}

	add<T extends Running>(running: T): T {
		this.all.push(running);
		return running;
	}

	readonly stop = async (): Promise<void> => {
		this.stopping ??= (async () => {
			for (const { stop } of this.all.reverse()) await stop();
		})();
		await this.stopping;
	};

	async kill(): Promise<void> {
		await Promise.all(this.all.map(async ({ kill }) => kill?.()));
	}
}
