/** Tests in a browser; `npm run test:browser` installs and builds what they need. */
const { testSequencer: _, ...shared } = require('../jest.config.js');

module.exports = {
	...shared,
	rootDir: '..',
	roots: ['<rootDir>/browser'],
	globalSetup: '<rootDir>/browser/globalSetup.ts',
};
