import { PackageDirectoryLoader } from 'n8n-core';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { schemaFiles } from '../docs/outputSchemas';
import packageJson from '../package.json';
import { filesIn, groupsIn, read, ROOT as root } from './repository';

const PACKAGE = 'n8n-nodes-assistant-service';
const ARCHIVE = `./${PACKAGE}-${packageJson.version}.tgz`;

/** The scripts of the build, by their paths from the root. */
const scripts = filesIn('dist', '.js');

const SCHEMAS = schemaFiles().map(({ file }) => path.relative(root, file));

const PASSWORDS = ['apiKey', 'n8nApiKey', 'webhookSecret', 'previousWebhookSecret'];

const loader = new PackageDirectoryLoader(root);

beforeAll(async () => {
	await loader.loadAll();
});

describe("n8n's own loader", () => {
	test('finds both nodes and the credential', () => {
		expect(loader.packageName).toBe(PACKAGE);
		expect(Object.keys(loader.nodeTypes)).toEqual(['assistantService', 'assistantServiceTrigger']);
		expect(Object.keys(loader.credentialTypes)).toEqual(['assistantServiceApi']);
	});

	test('describes the credential', () => {
		const { type } = loader.getCredential('assistantServiceApi');
		const hidden = type.properties.filter(({ typeOptions }) => typeOptions?.password === true);

		expect(type).toMatchObject({ displayName: 'Assistant Service API' });
		expect(hidden.map(({ name }) => name)).toEqual(PASSWORDS);
		// n8n prefers the `test` of a credential to the function that a node names in `testedBy`.
		expect(type.test).toBeUndefined();
	});

	test.each(['assistantService', 'assistantServiceTrigger'])('gives %s its credential', (node) => {
		const { type } = loader.getNode(node);
		if ('nodeVersions' in type) throw new Error('Not a single version');
		const [credential, ...others] = type.description.credentials ?? [];

		expect(others).toEqual([]);
		expect(credential?.name).toBe('assistantServiceApi');
		expect(loader.known.credentials.assistantServiceApi?.supportedNodes).toContain(node);
		expect(Object.keys(type.methods?.credentialTest ?? {})).toEqual([credential?.testedBy]);
	});
});

test('the package runs nothing when it is installed, packed or published', () => {
	const lifecycle =
		/^(?:(?:pre|post)?(?:install|publish|pack|version|prepare)|prepublishOnly|dependencies)$/;

	expect(Object.keys(packageJson.scripts).filter((name) => lifecycle.test(name))).toEqual([]);
});

const folder = mkdtempSync(path.join(tmpdir(), 'installation-'));
const npm = (...args: readonly string[]) =>
	execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

afterAll(() => {
	rmSync(folder, { recursive: true });
});

describe('the build', () => {
	const output = npm('pack', '--json', '--ignore-scripts', root);
	const packs = JSON.parse(output) as { files: { path: string }[] }[];
	const published = packs.flatMap(({ files }) => files.map((file) => file.path));

	test('is made of the sources that are there, and of nothing else', () => {
		const withoutSource = scripts.filter(
			(file) => !existsSync(path.join(root, file.replace(/^dist\/(.*)\.js$/, '$1.ts'))),
		);

		expect(withoutSource).toEqual([]);
		expect(scripts.length).toBeGreaterThan(30);
	});

	test('imports nothing that n8n does not provide', () => {
		const imports = scripts.flatMap((file) =>
			groupsIn(read(file), /\b(?:require|import)\s*\(\s*([^)]*)\)/g).flat(),
		);

		const foreign = imports.filter(
			(name) => !/^"(?:n8n-workflow|zod|crypto|\.\.?\/[\w./-]+)"$/.test(name),
		);
		expect(foreign).toEqual([]);
		expect(imports).toEqual(expect.arrayContaining(['"n8n-workflow"', '"zod"', '"crypto"']));
	});

	const LICENCES = ['LICENSE.md', 'NOTICE.md'];

	/** With its repository set, npm leads the links of the README there (docs/contributing/releasing.md). */
	test('has all that its README links to, or no pages at all and a repository', () => {
		const readme = read('README.md');
		const links = groupsIn(readme, /\]\(([^)\s#]+)/g).flat();
		const inPackage = links.filter((link) => !link.startsWith('https:'));

		const missing = inPackage.filter((link) => !published.includes(link));
		const isLinked = !packageJson.repository.url.includes('owner_not_set');
		expect(inPackage.length).toBeGreaterThan(5);
		expect(missing).toEqual(isLinked ? inPackage.filter((link) => !LICENCES.includes(link)) : []);
	});

	test('is all that is published, with its documents', () => {
		const others = published.filter((file) => !file.startsWith('dist/'));
		const documents = /^(?:\w+\.md|docs\/[\w/-]+\.(?:md|webp)|examples\/[\w-]+\.(?:json|md))$/;
		expect(others.filter((file) => file !== 'package.json' && !documents.test(file))).toEqual([]);
		expect(others).toEqual(expect.arrayContaining(['package.json', ...LICENCES]));
		expect(published.filter((file) => file.endsWith('.ts'))).toEqual([]);
		expect(published).toEqual(
			expect.arrayContaining([...packageJson.n8n.nodes, ...packageJson.n8n.credentials]),
		);
		expect(published.filter((file) => /\.(?:svg|node\.json)$/.test(file))).toHaveLength(4);
		const schemas = published.filter((file) => file.includes('/__schema__/'));
		expect(schemas.sort()).toEqual(SCHEMAS.map((file) => path.join('dist', file)).sort());
	});
});

describe('an installation', () => {
	/** The commands that install the package, as the user is told to type them. */
	const commands = ['docs/install.md', 'examples/queue-mode/Dockerfile'].flatMap((file) =>
		(read(file).match(/npm install .*?n8n-nodes-[\w.@-]+/g) ?? []).map((command) => [
			file,
			command,
		]),
	);

	test.each(commands)('as in %s (%s) brings no second copy of what n8n provides', (_, command) => {
		expect(commands.map(([file]) => file)).toContain('examples/queue-mode/Dockerfile');
		const [, ...words] = command.replace(/(?:\.\/)?n8n-nodes-\S+$/, ARCHIVE).split(' ');

		npm(...words, '--offline', '--no-audit', '--no-fund');

		const installed = readdirSync(path.join(folder, 'node_modules'));
		expect(installed.filter((name) => !name.startsWith('.'))).toEqual([PACKAGE]);
	});
});

interface Scan {
	readonly files: string[];
	/** Errors and warnings. */
	readonly problems: string[];
}

describe("n8n's scanner, of what is to be published", () => {
	let report: Record<'sources' | 'archive', Scan>;

	beforeAll(() => {
		execFileSync('tar', ['-xzf', ARCHIVE], { cwd: folder });
		const args = [path.join(__dirname, 'scan.mjs'), path.join(folder, 'package')];
		const output = execFileSync(process.execPath, args, {
			cwd: root,
			encoding: 'utf8',
			// While NODE_ENV is "test", the rules look at files that they are not for.
			env: { ...process.env, NODE_ENV: 'production' },
		});
		report = JSON.parse(output) as typeof report;
	});

	const NODE = 'nodes/AssistantService/AssistantService.node.ts';
	const CREDENTIAL = 'credentials/AssistantServiceApi.credentials.ts';
	test.each([
		['sources', [NODE, CREDENTIAL]],
		['archive', packageJson.n8n.nodes],
	] as const)('has no error and no warning for the %s', (place, files) => {
		const { problems, files: looked } = report[place];

		expect(problems).toEqual([]);
		expect(looked).toEqual(expect.arrayContaining(['package.json', ...files]));
	});
});
