import { STOPPED_WITHIN_MS } from './processes';
import { onSignals, waitsFor } from './signals.mjs';
import { Started } from './started';

/**
 * Does the work of a command, and ends the process with everything stopped that was started. A signal stops it earlier;
 * another one ends it at once.
 *
 * @param tell what is said of an error
 * @param stoppedCode the exit code after one signal
 */
export async function runCommand(
	work: (started: Started) => Promise<void>,
	tell: (error: unknown) => void,
	stoppedCode = 1,
): Promise<void> {
	const started = new Started();
	const end = async (ending: Promise<void>, code: number) => {
		await ending;
		process.exit(code);
	};
	onSignals(
		() => {
			console.log(`\n${waitsFor('n8n to finish what it executes', STOPPED_WITHIN_MS)}`);
			void end(started.stop(), stoppedCode);
		},
		() => {
			console.log('ended at once');
			void end(started.kill(), 1);
		},
	);
	let code = 0;
	try {
		await work(started);
	} catch (error) {
		// Once it is being stopped, nothing that fails is worth a word.
		if (!started.isStopping) tell(error);
		code = 1;
	}
	// A signal decides itself when and how to exit.
	if (!started.isStopping) await end(started.stop(), code);
}
