import { menu } from '../nodes/AssistantService/resources';
import type { Field } from '../nodes/shared/declaration/field';
import type { Operation, Resource } from '../nodes/shared/declaration/operation';
import { describeConditions, row, table } from './operations';

/** The sections of the endpoints, "4.1" and on, each with its heading and what the node sends. */
export function serviceSections(): string[] {
	return (
		menu.resources
			.flatMap((resource) => resource.operations.map((operation) => ({ resource, operation })))
			// Of two operations that send the same, one is enough.
			.filter(({ operation }) => !operation.waits)
			.sort((a, b) => sectionNumber(a.operation) - sectionNumber(b.operation))
			.map(({ resource, operation }) => describeEndpoint(resource, operation))
	);
}

/** The number within section 4. */
const sectionNumber = ({ specification }: Operation): number => Number(specification.split('.')[1]);

function describeEndpoint(resource: Resource, operation: Operation): string {
	const { specification, name, request, fields, options, successMarkers } = operation;
	const { method, url } = request;
	const properties = [
		...fields.flatMap((field) => describeProperty(operation, field)),
		...options.flatMap((field) => describeProperty(operation, field, ' (option)')),
	];
	const statusKinds = Object.entries(operation.statusKinds ?? {}).map(
		([status, kind]) => ` Status ${status} means \`${kind}\`.`,
	);
	return `### ${specification} ${resource.name}: ${name}

\`${method} ${url}\`

${table(['Property', 'In', 'Parameter', 'Sent'], properties)}

A good answer has ${Object.keys(successMarkers)
		.map((promise) => `\`${promise}\``)
		.join(' or ')}.${statusKinds.join('')}`;
}

/** The row of what a field sends, if it sends anything. */
function describeProperty({ path }: Operation, field: Field, note = ''): string[] {
	const { sentAs, property, conditions: shownFor } = field;
	if (sentAs === undefined) return [];
	const where = path.includes(sentAs) ? 'path' : 'body';
	const fromCredential = sentAs === 'workspaceId' ? ', else the credential' : '';
	const conditions = [
		fromCredential === '' && canBeLeftOut(field) ? 'it is set' : '',
		describeConditions(shownFor),
	].filter((condition) => condition !== '');
	const sent = conditions.length > 0 ? `if ${conditions.join(' and ')}` : 'always';
	return [row(`\`${sentAs}\``, where, `${property.displayName}${note}${fromCredential}`, sent)];
}

/** True if an empty or untouched field is left out of the request. */
const canBeLeftOut = ({ property, schema }: Field): boolean =>
	[property.default, ''].some((value) => {
		const { success, data } = schema.safeParse(value);
		return success && data === undefined;
	});
