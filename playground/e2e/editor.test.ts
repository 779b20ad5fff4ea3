import type { INodeTypeDescription } from 'n8n-workflow';
import { outputSchema } from '../../docs/outputSchemas';
import { OPERATION_ROWS } from '../../test/operations';
import { pathOf } from '../../test/operations/row';
import { useWorld } from './world';

const PACKAGE = 'n8n-nodes-assistant-service';

const world = useWorld();

/** The address from which the editor takes the fields of a node that has not run. */
function schemaUrl(name: string, version: number, operation: string): string {
	const threeParts = [...String(version).split('.'), '0', '0'].slice(0, 3);
	return `schemas/${name}/${threeParts.join('.')}/${operation}.json`;
}

it.each(OPERATION_ROWS.map(pathOf))(
	'what the editor is offered is the fields of what %s puts out, before it has run',
	async (path) => {
		const nodes = await world().client.served<INodeTypeDescription[]>('types/nodes.json');
		const node = nodes.find(({ name }) => name === `${PACKAGE}.assistantService`);
		const versions = [node?.version ?? []].flat();
		expect(versions).not.toEqual([]);
		for (const version of versions) {
			const url = schemaUrl(`${PACKAGE}.assistantService`, version, path.replace('.', '/'));
			expect(await world().client.served(url)).toEqual(outputSchema(path));
		}
	},
);
