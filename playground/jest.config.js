/** End-to-end tests on a whole n8n; `npm run test:e2e` installs and builds what they need. */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/e2e'],
	testMatch: ['**/*.test.ts'],
	transform: {
		'^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/../tsconfig.json' }],
	},
	globalSetup: '<rootDir>/e2e/globalSetup.ts',
	globalTeardown: '<rootDir>/e2e/globalTeardown.ts',
	testSequencer: '<rootDir>/e2e/sequencer.js',
	cacheDirectory: '<rootDir>/.state/jest',
	// One n8n for each, whose credentials each file points at its own simulator.
	maxWorkers: 2,
	verbose: true,
	// A busy machine is no failure of a test; what is waited for in vain says so before.
	testTimeout: 600_000,
};
