const TOKEN = /^[\da-f]{8}-[\da-f]{4}-/;

/** Says whether a mark is that of a single write, by which the node finds out whether n8n has done it. */
export const isToken = (mark: string): boolean => TOKEN.test(mark);

/** The marks of a row without those of single writes, which the node removes in bulk. */
export const marksIn = (row: readonly string[] = []): string[] =>
	row.filter((mark) => !isToken(mark));
