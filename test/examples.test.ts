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

/** The connections of the main type by the names of both ends. */
const linksOf = ({ connections }: WorkflowDraft) =>
	Object.entries(connections).flatMap(([from, { main = [] }]) =>
		main.flatMap((targets) => (targets ?? []).map(({ node: to }) => ({ from, to }))),
	);

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
