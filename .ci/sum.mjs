// Adds up all suites: prints one line and exits with 1 if anything failed.
import { existsSync, readFileSync } from 'node:fs';

/** Each step of .ci/run, and what jest wrote down if it is a suite; a step without counts as one test. */
const STEPS = {
	unit: '.build/unit.json',
	e2e: '.build/e2e.json',
	browser: '.build/browser.json',
	once: undefined,
	servers: undefined,
	queue: '.build/queue.json',
	load: undefined,
};

let passed = 0;
let failed = 0;
for (const [name, file] of Object.entries(STEPS)) {
	const code = readFileSync(`.build/results/${name}`, 'utf8').trim();
	if (file !== undefined && existsSync(file)) {
		const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
			readFileSync(file, 'utf8'),
		);
		passed += numPassedTests;
		failed += numFailedTests + numRuntimeErrorTestSuites;
		if (code !== '0' && numFailedTests + numRuntimeErrorTestSuites === 0) failed += 1;
	} else if (code === '0' && file === undefined) {
		passed += 1;
	} else {
		failed += 1;
	}
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
