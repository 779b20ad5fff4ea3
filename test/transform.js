const { transformSync } = require('esbuild');

/** Compiles a file by itself, as `isolatedModules` allows; the linter checks the types. */
module.exports = {
	process: (text, sourcefile) =>
		transformSync(text, {
			...{ loader: 'ts', format: 'cjs', target: 'es2022' },
			...{ sourcefile, sourcemap: true },
		}),
};
