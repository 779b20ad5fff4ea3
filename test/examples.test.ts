import { parse } from 'node:path';

import type { WorkflowDraft } from '../playground/restTypes';
import { EXAMPLES_ASK_FOR, hasPicture } from '../playground/setup';
import { filesIn, groupsIn, read } from './repository';

const FILES = filesIn('examples', '.json').map((file) => parse(file).base);
const GALLERY = read('examples/README.md');
/** What runs them in n8n. */
const RUNS = [...filesIn('playground/e2e', '.ts'), 'playground/demo.ts'].map(read).join();

/** What the first note says: what it does, what to change, what it costs, and what it needs. */
const ABOUT =
	/^## .+\n[^]+\n\n\*\*Change:\*\*\n([^]+)\n\n\*\*Costs:\*\* .+\n\n\*\*Needs:\*\* n8n \d/;

describe.each(FILES)('examples/%s', (file) => {
	const text = read(`examples/${file}`);
	const { nodes, connections, ...rest } = JSON.parse(text) as WorkflowDraft;
	const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
	const steps = nodes.filter((node) => !notes.includes(node));
	const names = nodes.map(({ name }) => name);

	it('holds nothing of the n8n where it was made, and asks for a credential that calls nobody', () => {
		const credentials = nodes.flatMap((node) => Object.entries(node.credentials ?? {}));
		const ours = credentials.filter(([type]) => type === 'assistantServiceApi');

		// The sample event of the documentation; the test of the trigger compares it.
		const sample = file === 'end-of-call.json' ? ['pinData'] : [];
		expect(Object.keys(rest).sort()).toEqual(['name', ...sample, 'settings']);
		expect(nodes.filter(({ webhookId }) => webhookId !== undefined)).toEqual([]);
		expect(credentials.filter(([, { id }]) => id !== null)).toEqual([]);
		expect(ours.filter(([, { name }]) => name !== EXAMPLES_ASK_FOR)).toEqual([]);
	});

	it('says what it does, what to change, also the model, what it costs, and what it needs', () => {
		const about = notes[0]?.parameters.content;
		const [, list = ''] = (typeof about === 'string' ? ABOUT.exec(about) : null) ?? [];
		const changes = list.split('\n').filter((line) => /^\d\. /.test(line));
		const changed = groupsIn(changes.join(), /\*\*([A-Z][^*]+)\*\*/g).flat();
		const models = steps.filter(({ type }) => type.includes('.lmChat'));

		expect([1, 2, 3]).toContain(changes.length);
		expect(changed.filter((name) => !names.includes(name))).toEqual([]);
		expect(models.filter(({ name }) => !changed.includes(name))).toEqual([]);
	});

	it('names only nodes that it has, by names that begin with a capital', () => {
		const cited = groupsIn(text, /(?:\$\('|"node": ")([^'"]+)/g).flat();
		const mentions = [...cited, ...Object.keys(connections)];

		expect(mentions.filter((name) => !names.includes(name))).toEqual([]);
		expect(steps.filter(({ name }) => !/^[A-Z]/.test(name))).toEqual([]);
	});

	it('stands in the gallery, with a picture if it is large, and is run by a test in n8n', () => {
		const picture = `../docs/images/examples/${parse(file).name}`;
		const isLarge = hasPicture({ nodes });

		expect(GALLERY).toContain(`](${file})`);
		expect(GALLERY.includes(`src="${picture}.webp"`)).toBe(isLarge);
		expect(GALLERY.includes(`srcset="${picture}.dark.webp"`)).toBe(isLarge);
		expect(RUNS).toContain(`'${file}'`);
	});
});
