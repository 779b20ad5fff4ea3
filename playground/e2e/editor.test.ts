import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';
import { OPERATION_ROWS } from '../../test/operations';
import { pathOf } from '../../test/operations/row';
import { schemaOf } from '../../test/operations/schema';
import { KNOWLEDGE_BASE, KNOWLEDGE_BASE_ID } from '../../test/simulator/seed';
import { useWorld } from './world';

const PACKAGE = 'n8n-nodes-assistant-service';

const world = useWorld();

async function ownNodes(): Promise<INodeTypeDescription[]> {
	const all = await world().client.served<INodeTypeDescription[]>('types/nodes.json');
	return all.filter(({ name }) => name.startsWith(`${PACKAGE}.`));
}

/** The addresses of a light and a dark icon, or of one for both. */
function iconsOf({ iconUrl }: Pick<INodeTypeDescription, 'iconUrl'>): string[] {
	return typeof iconUrl === 'object' ? Object.values(iconUrl) : iconUrl ? [iconUrl] : [];
}

/** The address from which the editor takes the fields of a node that has not run. */
function schemaUrl(name: string, version: number, operation: string): string {
	const threeParts = [...String(version).split('.'), '0', '0'].slice(0, 3);
	return `schemas/${name}/${threeParts.join('.')}/${operation}.json`;
}

describe('what the editor is offered', () => {
	it('is both nodes, and the action node as a tool for AI agents', async () => {
		const nodes = await ownNodes();
		expect(nodes.map(({ name }) => name).sort()).toEqual([
			`${PACKAGE}.assistantService`,
			`${PACKAGE}.assistantServiceTool`,
			`${PACKAGE}.assistantServiceTrigger`,
		]);
	});

	it('is all credentials', async () => {
		const all = await world().client.served<ICredentialType[]>('types/credentials.json');
		const own = all.filter(({ name }) => name in world().credentials);
		expect(own.map(({ displayName }) => displayName).sort()).toEqual([
			'Assistant Service API',
			'Assistant Service Contact Book API',
			'Assistant Service Webhook API',
		]);
	});

	it('is an icon of every node, as a file that is there', async () => {
		for (const node of await ownNodes()) {
			const icons = iconsOf(node);
			expect(icons).not.toEqual([]);
			for (const icon of icons) {
				expect(await world().client.served<string>(icon)).toContain('<svg');
			}
		}
	});

	it.each(OPERATION_ROWS.map((row) => [pathOf(row), row] as const))(
		'is the fields of what %s puts out, before it has run',
		async (path, row) => {
			const node = (await ownNodes()).find(({ name }) => name === `${PACKAGE}.assistantService`);
			const versions = [node?.version ?? []].flat();
			expect(versions).not.toEqual([]);
			for (const version of versions) {
				const url = schemaUrl(`${PACKAGE}.assistantService`, version, path.replace('.', '/'));
				expect(await world().client.served(url)).toEqual(schemaOf(row));
			}
		},
	);

	it('is a list of the paragraphs, which can be searched', async () => {
		const search = async (filter?: string) =>
			await world().client.searchList({
				nodeTypeAndVersion: { name: `${PACKAGE}.assistantService`, version: 1 },
				currentNodeParameters: {
					resource: 'knowledgeBase',
					operation: 'deleteParagraph',
					knowledgeBaseId: KNOWLEDGE_BASE_ID,
				},
				credentials: { ...world().credentials },
				path: 'parameters.paragraphKey',
				methodName: 'searchParagraphs',
				filter,
			});
		const keys = Object.keys(KNOWLEDGE_BASE.paragraphs);
		expect((await search()).map(({ value }) => value)).toEqual(keys);
		expect((await search('PARKING')).map(({ value }) => value)).toEqual(['parking']);
	});
});
