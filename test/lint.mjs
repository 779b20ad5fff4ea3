// Lints the code and checks its types by one program: both have to work out the types, which takes longest.
import path from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

const root = path.dirname(import.meta.dirname);
const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const program = ts.createProgram(fileNames, options);
const parserOptions = { projectService: false, programs: [program] };
const eslint = new ESLint({
	cwd: root,
	overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions } },
});
const results = await eslint.lintFiles(['.']);
const formatter = await eslint.loadFormatter('stylish');
const typeErrors = ts.formatDiagnostics([...errors, ...ts.getPreEmitDiagnostics(program)], {
	getCanonicalFileName: (file) => file,
	getCurrentDirectory: () => root,
	getNewLine: () => ts.sys.newLine,
});
// A warning is an error, too.
const report = (await formatter.format(results)) + typeErrors;
if (report !== '') {
	console.error(report);
	process.exitCode = 1;
}
