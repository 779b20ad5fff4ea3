const { default: Sequencer } = require('@jest/test-sequencer');

const LAST = /(?:nextVersion|savedData)\.test\.ts$/;

/** What n8n has saved is searched when everything else has run. */
module.exports = class extends Sequencer {
	sort(tests) {
		const isLast = ({ path }) => Number(LAST.test(path));
		return [...tests].sort((a, b) => isLast(a) - isLast(b) || a.path.localeCompare(b.path));
	}
};
