/** The table of versions; `npm run test:compat` installs and builds what it needs. */
const { globalSetup, globalTeardown, testSequencer, ...shared } = require('../jest.config.js');

module.exports = {
	...shared,
	rootDir: '..',
	roots: ['<rootDir>/compat'],
	maxWorkers: 1,
	testTimeout: 300_000,
};
