import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A text that the nodes say of a problem, as it stands in the code. */
export interface Told {
	/** The path of its file from the root. */
	readonly file: string;
	/** What happened, with `…` for what differs. */
	readonly message: string;
	/** What to do about it; empty if the code says it elsewhere. */
	readonly hint: string;
}

const ROOT = path.join(__dirname, '..');
const VARIES = '…';

/** What makes a problem of a message and a hint. */
const MAKERS = new Set(['BookProblem', 'notSent', 'problem', 'unknown', 'unusable']);

/** An object with a message and one of these says what went wrong; one with a message alone is of a check or of a log. */
const BESIDE = ['hint', 'kind', 'outcome'];

/** Reads what the nodes say of problems out of their sources, in the order of the files. */
export const toldProblems = (): Told[] =>
	readdirSync(path.join(ROOT, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.sort()
		.flatMap((file) => problemsIn(path.join('nodes', file)));

function problemsIn(file: string): Told[] {
	const text = readFileSync(path.join(ROOT, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const constants = new Map<string, ts.Expression>();
	const found: Told[] = [];
	const add = (message: ts.Node | undefined, hint: ts.Node | undefined): void => {
		const said = textOf(message, constants);
		if (said === undefined || said === VARIES) return;
		found.push({ file, message: said, hint: textOf(hint, constants) ?? '' });
	};
	const visit = (node: ts.Node): void => {
		if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
			constants.set(node.name.text, node.initializer);
		if (ts.isObjectLiteralExpression(node)) {
			const own = propertiesOf(node);
			if (BESIDE.some((name) => own.has(name))) add(own.get('message'), own.get('hint'));
		}
		if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isMaker(node.expression))
			add(node.arguments?.[0], node.arguments?.[1]);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

const isMaker = (callee: ts.Expression): boolean =>
	ts.isIdentifier(callee) && MAKERS.has(callee.text);

const propertiesOf = (object: ts.ObjectLiteralExpression): Map<string, ts.Expression> =>
	new Map(
		object.properties.flatMap((property) => {
			if (ts.isShorthandPropertyAssignment(property))
				return [[property.name.text, property.name] as const];
			return ts.isPropertyAssignment(property) && ts.isIdentifier(property.name)
				? [[property.name.text, property.initializer] as const]
				: [];
		}),
	);

/** The text of a literal, of a constant of its file or of both ends of a condition; `undefined` if there is none in it. */
function textOf(
	node: ts.Node | undefined,
	constants: ReadonlyMap<string, ts.Expression>,
): string | undefined {
	if (node === undefined) return undefined;
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isIdentifier(node)) return textOf(constants.get(node.text), constants);
	if (ts.isConditionalExpression(node)) {
		const ends = [node.whenTrue, node.whenFalse].map((end) => textOf(end, constants));
		return ends.every((end) => end !== undefined) ? ends.join(' Or: ') : undefined;
	}
	if (!ts.isTemplateExpression(node)) return undefined;
	const spans = node.templateSpans.map(({ expression, literal }) => {
		const isConstant = ts.isIdentifier(expression) && /^[A-Z_]+$/.test(expression.text);
		return ((isConstant ? textOf(expression, constants) : undefined) ?? VARIES) + literal.text;
	});
	return node.head.text + spans.join('');
}
