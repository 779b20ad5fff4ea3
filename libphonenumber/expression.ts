/** A set of texts of digits, as a regular expression; the same set of nodes is the same object. */
export type Expression =
	| { readonly id: number; readonly kind: 'nothing' | 'end' | 'anything' }
	| { readonly id: number; readonly kind: 'digit'; readonly digits: string }
	| {
			readonly id: number;
			readonly kind: 'then';
			readonly first: Expression;
			readonly rest: Expression;
	  }
	| { readonly id: number; readonly kind: 'or' | 'and'; readonly parts: readonly Expression[] }
	| { readonly id: number; readonly kind: 'not'; readonly part: Expression };

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

const known = new Map<string, Expression>();

function intern(key: string, node: WithoutId<Expression>): Expression {
	const found = known.get(key);
	if (found !== undefined) return found;
	const made = { ...node, id: known.size };
	known.set(key, made);
	return made;
}

/** No text. */
export const NOTHING = intern('nothing', { kind: 'nothing' });
/** The empty text. */
const END = intern('end', { kind: 'end' });
/** Every text. */
export const ANYTHING = intern('anything', { kind: 'anything' });

const digit = (digits: string): Expression => intern(`digit ${digits}`, { kind: 'digit', digits });

export function then(first: Expression, rest: Expression): Expression {
	if (first === NOTHING || rest === NOTHING) return NOTHING;
	if (first === END) return rest;
	if (rest === END) return first;
	if (first.kind === 'then') return then(first.first, then(first.rest, rest));
	return intern(`then ${first.id} ${rest.id}`, { kind: 'then', first, rest });
}

export function not(part: Expression): Expression {
	if (part === NOTHING) return ANYTHING;
	if (part === ANYTHING) return NOTHING;
	return part.kind === 'not' ? part.part : intern(`not ${part.id}`, { kind: 'not', part });
}

export const or = (...parts: readonly Expression[]): Expression =>
	join('or', NOTHING, ANYTHING, parts);

export const and = (...parts: readonly Expression[]): Expression =>
	join('and', ANYTHING, NOTHING, parts);

/** Parts in a fixed order and each of them once, so that equal sets are found equal. */
function join(
	kind: 'or' | 'and',
	neutral: Expression,
	absorbing: Expression,
	given: readonly Expression[],
): Expression {
	const flat = given.flatMap((part) => (part.kind === kind ? part.parts : [part]));
	const parts = [...new Set(flat)].filter((part) => part !== neutral).sort((a, b) => a.id - b.id);
	if (parts.includes(absorbing)) return absorbing;
	const [only = neutral] = parts;
	if (parts.length < 2) return only;
	return intern(`${kind} ${parts.map(({ id }) => id).join(' ')}`, { kind, parts });
}

const endings = new Map<Expression, boolean>();

/** True if the empty text belongs to the set. */
export function holdsEnd(set: Expression): boolean {
	const found = endings.get(set) ?? findEnd(set);
	endings.set(set, found);
	return found;
}

function findEnd(set: Expression): boolean {
	switch (set.kind) {
		case 'end':
		case 'anything':
			return true;
		case 'nothing':
		case 'digit':
			return false;
		case 'then':
			return holdsEnd(set.first) && holdsEnd(set.rest);
		case 'or':
			return set.parts.some(holdsEnd);
		case 'and':
			return set.parts.every(holdsEnd);
		case 'not':
			return !holdsEnd(set.part);
	}
}

const rests = new Map<Expression, Map<string, Expression>>();

/** What may follow a digit: Brzozowski's derivative. */
export function after(set: Expression, read: string): Expression {
	const ofSet = rests.get(set) ?? new Map<string, Expression>();
	rests.set(set, ofSet);
	const found = ofSet.get(read) ?? findRest(set, read);
	ofSet.set(read, found);
	return found;
}

function findRest(set: Expression, read: string): Expression {
	switch (set.kind) {
		case 'anything':
			return ANYTHING;
		case 'nothing':
		case 'end':
			return NOTHING;
		case 'digit':
			return set.digits.includes(read) ? END : NOTHING;
		case 'then': {
			const rest = then(after(set.first, read), set.rest);
			return holdsEnd(set.first) ? or(rest, after(set.rest, read)) : rest;
		}
		case 'or':
			return or(...set.parts.map((part) => after(part, read)));
		case 'and':
			return and(...set.parts.map((part) => after(part, read)));
		case 'not':
			return not(after(set.part, read));
	}
}

export const DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));

/** Texts of this many digits. */
export const ofLength = (length: number): Expression =>
	Array.from({ length }, () => digit(DIGITS.join(''))).reduceRight(
		(rest, one) => then(one, rest),
		END,
	);

/**
 * Reads a regular expression as libphonenumber writes them: digits, `\d`, `[2-57]`, `(?:…)`, `|`, `?` and `{2,4}`.
 *
 * @throws Error if it has anything else
 */
export function parse(pattern: string): Expression {
	const tokens = pattern.match(/\\d|\[[\d-]+\]|\(\?:|\{\d+(?:,\d+)?\}|[\d()|?]/g) ?? [];
	if (tokens.join('') !== pattern) throw new Error(`cannot read ${pattern}`);
	let at = 0;
	const alternatives = (): Expression => {
		const parts = [sequence()];
		while (tokens[at] === '|') {
			at++;
			parts.push(sequence());
		}
		return or(...parts);
	};
	const sequence = (): Expression => {
		const parts: Expression[] = [];
		for (
			let token = tokens[at];
			token !== undefined && token !== '|' && token !== ')';
			token = tokens[at]
		)
			parts.push(repeated(atom(token)));
		return parts.reduceRight((rest, one) => then(one, rest), END);
	};
	const atom = (token: string): Expression => {
		at++;
		if (!token.startsWith('(')) return digit(digitsOf(token));
		const group = alternatives();
		if (tokens[at++] !== ')') throw new Error(`no end of a group in ${pattern}`);
		return group;
	};
	const repeated = (one: Expression): Expression => {
		const [low, high] = timesOf(tokens[at]) ?? [];
		if (low === undefined || high === undefined) return one;
		at++;
		return Array.from({ length: high }).reduceRight<Expression>(
			(rest, _, index) => (index < low ? then(one, rest) : or(END, then(one, rest))),
			END,
		);
	};
	const whole = alternatives();
	if (at < tokens.length) throw new Error(`cannot read ${pattern}`);
	return whole;
}

/** `?` and `{2,4}`: how often at least and at most. */
function timesOf(token = ''): [number, number] | undefined {
	if (token === '?') return [0, 1];
	const [, low, high = low] = /^\{(\d+)(?:,(\d+))?\}$/.exec(token) ?? [];
	return low === undefined ? undefined : [Number(low), Number(high)];
}

/** `[2-57]`, `\d` or a digit. */
const digitsOf = (token: string): string =>
	DIGITS.filter((one) => new RegExp(`^${token}$`).test(one)).join('');
