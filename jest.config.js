// n8n's engine logs every error of a workflow; the tests assert them instead.
process.env.N8N_LOG_LEVEL = 'silent';
// It keeps settings of its own, which belong into the clone.
process.env.N8N_USER_FOLDER = `${__dirname}/.build`;

/** Unit tests and tests on n8n's real engine; the tests of the whole product are in playground/e2e. */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	setupFiles: ['<rootDir>/test/timers.js'],
	testSequencer: '<rootDir>/test/sequencer.js',
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json' }] },
	clearMocks: true,
	// By default, jest leaves one core alone.
	maxWorkers: '100%',
	// What earlier files leave in memory slows down the later ones: a worker with more than this begins anew.
	workerIdleMemoryLimit: '600MB',
	// What a busy machine may need; a test that takes longer says why.
	testTimeout: 60_000,
};
