import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INode } from 'n8n-workflow';

import type { WorkflowDraft } from '../playground/restTypes';
import { EXAMPLES_ASK_FOR } from '../playground/setup';

const root = path.resolve(__dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const FILES = readdirSync(path.join(root, 'examples')).filter((file) => file.endsWith('.json'));
const E2E = readdirSync(path.join(root, 'playground', 'e2e')).map((file) =>
	read(path.join('playground', 'e2e', file)),
);
const GALLERY = read('examples/README.md');

const workflowOf = (file: string) => JSON.parse(read(`examples/${file}`)) as WorkflowDraft;
const isNote = ({ type }: INode): boolean => type === 'n8n-nodes-base.stickyNote';
const notesOf = ({ nodes }: WorkflowDraft) => nodes.filter(isNote);
const stepsOf = ({ nodes }: WorkflowDraft) => nodes.filter((node) => !isNote(node));
const textOf = ({ parameters }: INode): string =>
	typeof parameters.content === 'string' ? parameters.content : '';

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** The place of a node with its name below it, or of a note, on the canvas. */
function boxOf(node: INode): Box {
	const { name, position, parameters } = node;
	const [left, top] = position;
	if (!isNote(node)) return { name, left: left - 40, top, right: left + 136, bottom: top + 140 };
	const [width, height] = [Number(parameters.width), Number(parameters.height)];
	return { name, left, top, right: left + width, bottom: top + height };
}

const overlap = (one: Box, other: Box): boolean =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;

/** The connections of the main type by the names of both ends. */
const linksOf = ({ connections }: WorkflowDraft) =>
	Object.entries(connections).flatMap(([from, { main = [] }]) =>
		main.flatMap((targets) => (targets ?? []).map(({ node: to }) => ({ from, to }))),
	);

/** How many lines of a note this text takes about, as wide as the note is. */
const linesOf = (text: string, width: number): number =>
	text
		.split('\n')
		.map((line) => Math.ceil(Math.max(line.length, 1) / ((width - 40) / 7)))
		.reduce((sum, lines) => sum + lines, 0);

test('there are at least twelve, each with nodes and a name of its own', () => {
	const all = FILES.map(workflowOf);
	const ids = all.flatMap(({ nodes }) => nodes.map(({ id }) => id));

	expect(all.length).toBeGreaterThanOrEqual(12);
	expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
	expect(new Set(ids).size).toBe(ids.length);
});

describe.each(FILES)('examples/%s', (file) => {
	const workflow = workflowOf(file);
	const names = workflow.nodes.map(({ name }) => name);

	it('holds nothing of the n8n where it was made', () => {
		const known = ['name', 'nodes', 'connections', 'settings'];
		// The sample event of the documentation; the test of the trigger compares it.
		if (file === 'end-of-call.json') known.push('pinData');

		expect(Object.keys(workflow).sort()).toEqual(known.sort());
		expect(workflow.nodes.filter((node) => node.webhookId !== undefined)).toEqual([]);
		const credentials = workflow.nodes.flatMap((node) => Object.values(node.credentials ?? {}));
		expect(credentials.filter(({ id }) => id !== null)).toEqual([]);
	});

	it('asks for a credential that calls nobody', () => {
		const asked = workflow.nodes.flatMap(
			({ credentials }) => credentials?.assistantServiceApi ?? [],
		);

		expect(asked.filter(({ name }) => name !== EXAMPLES_ASK_FOR)).toEqual([]);
	});

	it('says what it does, what to change, what it costs, and what it needs', () => {
		const [about = ''] = notesOf(workflow).map(textOf);
		const changes = about.split('\n').filter((line) => /^\d\. /.test(line));

		expect(about).toMatch(
			/^## .+\n[^]+\n\n\*\*Change:\*\*\n[^]+\n\n\*\*Costs:\*\* .+\n\n\*\*Needs:\*\* n8n \d/,
		);
		expect(changes.length).toBeGreaterThanOrEqual(1);
		expect(changes.length).toBeLessThanOrEqual(3);
		const named = changes.join().matchAll(/\*\*([A-Z][^*]+)\*\*/g);
		expect(
			Array.from(named, ([, name]) => name).filter((name) => !names.includes(name ?? '')),
		).toEqual([]);
	});

	it('has notes that are as high as their text and cover nothing', () => {
		for (const note of notesOf(workflow)) {
			const { width, height } = note.parameters;
			expect(Number(height)).toBeGreaterThan(linesOf(textOf(note), Number(width)) * 20);
		}
		const boxes = workflow.nodes.map(boxOf);
		const clashes = boxes.flatMap((one, index) =>
			boxes
				.slice(index + 1)
				.filter((other) => overlap(one, other))
				.map((other) => `${one.name} / ${other.name}`),
		);
		expect(clashes).toEqual([]);
	});

	it('names only nodes that it has, by names that begin with a capital', () => {
		const text = JSON.stringify(workflow);
		const cited = Array.from(text.matchAll(/\$\('([^']+)'\)/g), ([, name]) => name);
		const ends = linksOf(workflow).flatMap(({ from, to }) => [from, to]);

		expect([...cited, ...ends].filter((name) => !names.includes(name ?? ''))).toEqual([]);
		expect(stepsOf(workflow).filter(({ name }) => !/^[A-Z]/.test(name))).toEqual([]);
	});

	it('lists the model among what to change', () => {
		const models = stepsOf(workflow).filter(({ type }) => type.includes('.lmChat'));
		const [about = ''] = notesOf(workflow).map(textOf);
		const [, changes = ''] = about.split('**Change:**');

		expect(models.filter(({ name }) => !changes.includes(`**${name}**`))).toEqual([]);
	});

	it('stands in the gallery with its picture, and is run by a test in n8n', () => {
		const name = path.basename(file, '.json');

		expect(GALLERY).toContain(`](${file})`);
		expect(GALLERY).toContain(`src="../docs/images/examples/${name}.webp"`);
		expect(GALLERY).toContain(`srcset="../docs/images/examples/${name}.dark.webp"`);
		expect(
			[...E2E, read('playground/demo.ts')].filter((test) => test.includes(`'${file}'`)),
		).not.toEqual([]);
	});
});
