const { transformSync, version } = require('esbuild');
const { createHash } = require('node:crypto');

const OPTIONS = {
	...{ loader: 'ts', format: 'cjs', target: 'es2022', sourcemap: true },
	// Jest has none, so it becomes `require`, as everything else.
	supported: { 'dynamic-import': false },
};

/** Compiles a file by itself, as `isolatedModules` allows; the linter checks the types. */
module.exports = {
	process: (text, sourcefile) => transformSync(text, { ...OPTIONS, sourcefile }),
	getCacheKey: (...[text, file, { configString, instrument }]) =>
		createHash('sha256')
			.update(JSON.stringify([version, OPTIONS, text, file, configString, instrument]))
			.digest('hex'),
};
