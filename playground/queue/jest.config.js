/** Tests of n8n in queue mode; `npm run test:queue` installs and builds what they need. */
const { globalSetup, globalTeardown, testSequencer, ...shared } = require('../jest.config.js');

module.exports = {
	...shared,
	rootDir: '..',
	roots: ['<rootDir>/queue'],
	// One cluster for all of them.
	testMatch: ['**/queue.test.ts'],
	maxWorkers: 1,
};
