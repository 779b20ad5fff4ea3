// Adds up the steps that are named: prints one line for each and one for all, and exits with 1 if anything failed.
import { existsSync, readFileSync } from 'node:fs';

/** What jest wrote down of a step that is a suite; another step counts as one test. */
const SUITES = {
	unit: '.build/unit.json',
	e2e: '.build/e2e.json',
	queue: '.build/queue.json',
	browser: '.build/browser.json',
	versions: '.build/compat.json',
	pictures: '.build/browser.json',
};

function countsOf(name) {
	const isGood = readFileSync(`.build/results/${name}`, 'utf8').trim() === '0';
	const file = SUITES[name];
	if (file === undefined) return { passed: Number(isGood), failed: Number(!isGood) };
	if (!existsSync(file)) return { passed: 0, failed: 1 };
	const suite = JSON.parse(readFileSync(file, 'utf8'));
	const failed = suite.numFailedTests + suite.numRuntimeErrorTestSuites;
	return { passed: suite.numPassedTests, failed: isGood ? failed : Math.max(failed, 1) };
}

const tell = (name, { passed, failed }) => {
	console.log(`${name}: ${passed} passed, ${failed} failed`);
};

const all = { passed: 0, failed: 0 };
for (const name of process.argv.slice(2)) {
	const counts = countsOf(name);
	tell(name, counts);
	all.passed += counts.passed;
	all.failed += counts.failed;
}
console.log(`${all.passed} passed, ${all.failed} failed`);
process.exitCode = all.failed === 0 ? 0 : 1;
