const { default: Sequencer } = require('@jest/test-sequencer');

/** What takes minutes, so that nobody waits for it at the end. */
const FIRST = /(?:listExamples|exampleRuns|crash|placeAndWait)\.test\.ts$/;

/** What n8n has saved is searched when everything else has run. */
const LAST = /(?:nextVersion|savedData)\.test\.ts$/;

const groupOf = ({ path }) => (FIRST.test(path) ? 0 : LAST.test(path) ? 2 : 1);

module.exports = class extends Sequencer {
	sort(tests) {
		return [...tests].sort((a, b) => groupOf(a) - groupOf(b) || b.path.localeCompare(a.path));
	}
};
