const { dest, parallel, src } = require('gulp');

/** Icons and codex files are not code: they go beside the compiled nodes as they are. */
const copyIcons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
const copyCodex = () => src('nodes/**/*.node.json').pipe(dest('dist/nodes'));

exports.build = parallel(copyIcons, copyCodex);
