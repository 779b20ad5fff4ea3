import { describeMenu } from '../../../nodes/shared/declaration/description';
import { send } from '../../../nodes/shared/declaration/fields';
import type { Field, Operation } from '../../../nodes/shared/declaration/operation';
import { createRequest } from '../../../nodes/shared/request/request';
import { text } from '../../../nodes/shared/declaration/schemas';
import { operationOf } from '../samples';

const fieldOf = (name: string): Field => ({
	property: { displayName: name, name, type: 'string', default: '', routing: send(name) },
	schema: text,
});

const steering: Field = {
	property: { displayName: 'How', name: 'how', type: 'string', default: '' },
	schema: text,
};

/** A request with a field for each of these, beside the workspace that every operation can send. */
const define = (
	method: 'GET' | 'DELETE' | 'PUT' | 'POST',
	url: string,
	fields: string[],
	more: Partial<Operation> = {},
): Operation => ({
	...operationOf('assistant.getPrompt'),
	name: 'Get Thing',
	routing: { request: { method, url } },
	fields: [...fields.map(fieldOf), steering],
	...more,
});

function describeOne(operation: Operation) {
	const thing = {
		name: 'Thing',
		value: 'thing',
		operations: [operation],
		defaultOperation: operation,
	};
	return describeMenu({ resources: [thing], defaultResource: thing });
}

const WITH_THING = '/v1/things/{workspaceId}/{thingId}';

test.each<[name: string, operation: Operation]>([
	['a GET', define('GET', WITH_THING, ['thingId'])],
	['a DELETE', define('DELETE', WITH_THING, ['thingId'])],
	['a POST with a body', define('POST', '/v1/things/{thingId}', ['thingId', 'color'])],
	['a PUT with a body', define('PUT', '/v1/things', ['color'])],
	['an option in the path', define('GET', WITH_THING, [], { options: [fieldOf('thingId')] })],
])('%s that sends all that is asked for can be defined', (_, operation) => {
	expect(() => describeOne(operation)).not.toThrow();
});

const losing = define('GET', WITH_THING, ['thingId', 'color']);
const beside = { kinds: [], field: 'how', value: 'x' };

test.each<[name: string, operation: Operation, message: string]>([
	['a GET', losing, 'Get Thing: color is sent nowhere'],
	[
		'a DELETE',
		define('DELETE', WITH_THING, ['color', 'thingId']),
		'Get Thing: color is sent nowhere',
	],
	[
		'an option of a GET',
		define('GET', WITH_THING, ['thingId'], { options: [fieldOf('size')] }),
		'Get Thing: size is sent nowhere',
	],
	[
		'the workspace',
		define('GET', '/v1/things/{thingId}', ['thingId']),
		'Get Thing: workspaceId is sent nowhere',
	],
	[
		'a path with more than its fields',
		define('POST', `${WITH_THING}/{color}`, ['thingId']),
		'Get Thing: nothing fills {color}',
	],
	[
		'what is asked first',
		define('POST', WITH_THING, ['thingId'], {
			name: 'Update Thing',
			before: { option: 'how', operation: losing, adds: () => ({}) },
		}),
		'Get Thing: color is sent nowhere',
	],
	[
		'what is sent instead',
		define('POST', WITH_THING, ['thingId'], {
			name: 'Update Thing',
			fallback: { ...beside, operation: losing },
		}),
		'Get Thing: color is sent nowhere',
	],
])('%s that would lose a property cannot be defined', (_, operation, message) => {
	expect(() => describeOne(operation)).toThrow(new Error(message));
});

test('no request is made with a hole in its path', () => {
	const operation = define('GET', WITH_THING, ['thingId']);

	expect(() => createRequest(operation, { workspaceId: 'w' }, 1)).toThrow('{thingId} has no value');
	expect(createRequest(operation, { workspaceId: '{thingId}', thingId: '$& {x}' }, 1).url).toBe(
		'/v1/things/%7BthingId%7D/%24%26%20%7Bx%7D',
	);
});
