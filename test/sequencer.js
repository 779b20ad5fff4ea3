const { default: Sequencer } = require('@jest/test-sequencer');

/** What takes longest, so that nobody waits for it at the end. */
const FIRST =
	/(?:package|contactBook\w*|faultMatrix|randomFaults|wholeMemory|gateRate|optOut|contactBurst|lateAnswers)\.test\.ts$/;

module.exports = class extends Sequencer {
	sort(tests) {
		const groupOf = ({ path }) => (FIRST.test(path) ? 0 : 1);
		return [...tests].sort((a, b) => groupOf(a) - groupOf(b) || a.path.localeCompare(b.path));
	}
};
