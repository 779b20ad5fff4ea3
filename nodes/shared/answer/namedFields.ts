/** The field of the form that fills each request property, by their display names: `sheetURL` is "Sheet URL". */
export type FieldNames = Readonly<Record<string, string>>;

/** What may be the name of a property in a text. */
const NAME = /[A-Za-z_]\w*/g;

/** A name that is a word of every day counts only where a text writes it as a name. */
const EVERYDAY_WORD = /^[a-z]+$/;
const BEFORE_A_NAME = /(?:^|["'`([{.,;:])\s*$/;
const AFTER_A_NAME = /^(?:["'`)\]}:]|\.\w)/;

/**
 * Finds the request properties that a text of the service names, and says which field of the form fills each of them, in
 * sentences: "sheetURL is the field Sheet URL." A property that is called like its field needs no sentence. `undefined` if
 * the text names no property.
 */
export function explainNames(text: string, fields: FieldNames): string | undefined {
	const named = new Map<string, string>();
	for (const { 0: name, index } of text.matchAll(NAME)) {
		const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
		if (field === undefined) continue;
		const isName =
			!EVERYDAY_WORD.test(name) ||
			BEFORE_A_NAME.test(text.slice(Math.max(0, index - 3), index)) ||
			AFTER_A_NAME.test(text.slice(index + name.length, index + name.length + 2));
		if (isName) named.set(name, field);
	}
	if (named.size === 0) return undefined;
	return [...named]
		.filter(([name, field]) => field.toLowerCase() !== name)
		.map(([name, field]) => `${name} is the field ${field}.`)
		.join(' ');
}
