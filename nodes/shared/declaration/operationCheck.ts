import { hasBody, pathProperties, type Operation } from './operation';
import { optionFields } from './options';

/**
 * Checks the requests of an operation: what its fields and options send has a place, and each part of a path is filled.
 *
 * @throws Error that names the operation and the property: one that a GET or DELETE would leave out because its path does
 * not name it, or one that a path names and nothing fills
 */
export function checkOperation(operation: Operation): void {
	const requests = [operation, operation.before?.operation, operation.fallback?.operation];
	for (const request of requests) {
		if (request === undefined) continue;
		const sent = [...request.fields, ...optionFields(operation)].flatMap(
			({ property }) => property.routing?.send?.property ?? [],
		);
		const inPath = pathProperties(request);
		const lost = sent.find((name) => !hasBody(request) && !inPath.includes(name));
		if (lost !== undefined) throw new Error(`${request.name}: ${lost} is sent nowhere`);
		const unfilled = inPath.find((name) => !sent.includes(name));
		if (unfilled !== undefined) throw new Error(`${request.name}: nothing fills {${unfilled}}`);
	}
}
