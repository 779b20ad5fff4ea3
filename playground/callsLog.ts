import { appendFile } from 'node:fs/promises';
import type { Simulator } from '../test/simulator/simulator';

/**
 * Adds the calls of the service to a file when it is stopped, a line for each: when, to which number, and its ID. Who was
 * called can be looked up there, as at a real service, after everything was stopped.
 */
export function createCallsLog(simulator: Pick<Simulator, 'state'>, file: string) {
	const write = async (): Promise<void> => {
		const lines = simulator
			.state()
			.calls.map(
				({ startedAt, toNumber, id }) => `${new Date(startedAt).toISOString()} ${toNumber} ${id}\n`,
			);
		await appendFile(file, lines.join(''));
	};
	return { stop: write, kill: write };
}
