import Ajv from 'ajv';
import type { IDataObject } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { OutputSchema } from '../../docs/outputSchemas';
import type { OperationRow } from './row';

const SCHEMAS = path.join(__dirname, '../../nodes/AssistantService/__schema__/v1.0.0');

const ajv = new Ajv({ allErrors: true });

/** The schema of an operation's output, as n8n serves it to its editor. */
export function schemaOf({
	resource,
	operation,
}: Pick<OperationRow, 'resource' | 'operation'>): OutputSchema {
	const file = path.join(SCHEMAS, resource, `${operation}.json`);
	return JSON.parse(readFileSync(file, 'utf8')) as OutputSchema;
}

/** The columns that an item has only with a reference, or if a rule of contact holds it back. */
const SOMETIMES = new Set(['reference', 'notBefore']);

/**
 * Where an item is not as the schema says, or lacks what the editor offers for mapping. The schema is made of the main row,
 * so a property that the row lacks, or shows as `null` only, has no type in it.
 */
export function schemaFlaws(schema: OutputSchema, item: IDataObject): string[] {
	const properties = Object.entries(schema.properties);
	const unshown = properties.filter(
		([name, { type }]) => type === 'null' || (!(name in item) && !SOMETIMES.has(name)),
	);
	const shown = Object.fromEntries(properties.filter((one) => !unshown.includes(one)));
	const validate = ajv.compile({ ...schema, properties: shown });
	validate(item);
	return [
		...unshown.map(([name]) => `${name}: the main row must show every property of the output`),
		...(validate.errors ?? []).map(({ dataPath, message = '' }) => `${dataPath} ${message}`),
	];
}
