const { dest, parallel, src } = require('gulp');

/** Icons, codex files and output schemas are not code: they go beside the compiled nodes as they are. */
const copyIcons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
const copyCodex = () => src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
const copySchemas = () => src('nodes/**/__schema__/**/*.json').pipe(dest('dist/nodes'));

exports.build = parallel(copyIcons, copyCodex, copySchemas);
