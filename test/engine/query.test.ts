import type { INodeParameters, INodeType } from 'n8n-workflow';

import { pick } from '../../nodes/shared/answer/output';
import { marker } from '../../nodes/shared/answer/successMarkers';
import { defineOperation } from '../../nodes/shared/declaration/defineOperation';
import { describeMenu } from '../../nodes/shared/declaration/description';
import { inQuery, optionalField, type Field } from '../../nodes/shared/declaration/field';
import { TIMEOUT, type Resource } from '../../nodes/shared/declaration/operation';
import { text, wholeNumber } from '../../nodes/shared/declaration/schemas';
import { runOperation } from '../../nodes/shared/run';
import { addNodeType, runNode, stockDescription } from './engine';
import { credentialFor, useSimulator } from './world';

const limit: Field = {
	property: { displayName: 'Limit', name: 'limit', type: 'number', default: 50 },
	schema: wholeNumber(1, 100),
};

const words: Field = optionalField({
	property: { displayName: 'Words', name: 'words', type: 'string', default: '' },
	schema: text,
});

/** A made-up operation: the specification has none with a query. */
const getMany = defineOperation({
	name: 'Get Many',
	value: 'getMany',
	action: 'Get many things',
	description: 'Get the things of the workspace',
	toolDescription: 'Reads the things of the workspace.',
	specification: '4',
	request: { method: 'GET', url: '/v1/things/{workspaceId}' },
	fields: [inQuery(limit), inQuery(words, 'q')],
	repeatable: true,
	done: 'read',
	timeout: TIMEOUT.standard,
	successMarkers: { things: marker.list },
	simplify: pick('things'),
});

const things: Resource = {
	name: 'Thing',
	value: 'thing',
	operations: [getMany],
	defaultOperation: getMany,
};

const description: INodeType['description'] = {
	...stockDescription(),
	properties: describeMenu({ resources: [things], defaultResource: things }),
};
const [NODE, ROUTER] = ['test.things', 'test.stockThings'];
addNodeType(NODE, {
	description,
	async execute() {
		return await runOperation(this, [things]);
	},
});
addNodeType(ROUTER, { description });

const simulator = useSimulator();

/** What is on the wire, and what comes out. */
async function run(type: string, parameters: INodeParameters) {
	simulator().requests.length = 0;
	const { items } = await runNode({
		type,
		parameters: { resource: 'thing', operation: 'getMany', ...parameters },
		credential: credentialFor(simulator()),
	});
	const requests = simulator().requests.map(({ method, path, query, rawBody }) => ({
		method,
		path,
		query: Object.fromEntries(new URLSearchParams(query)),
		rawBody,
	}));
	return { requests, output: items.map(({ json }) => json) };
}

const answerThings = (): void => {
	simulator().addFault({ kind: 'respond', status: 200, body: { things: ['a'] } });
};

test.each<[INodeParameters, Record<string, string>]>([
	[{}, { limit: '50' }],
	[
		{ limit: 2, words: 'a&b=ü ?' },
		{ limit: '2', q: 'a&b=ü ?' },
	],
	[{ limit: 2, words: ' ' }, { limit: '2' }],
])(
	'the query holds what was entered, by the node and by the router: %j',
	async (entered, query) => {
		answerThings();
		const path = `/v1/things/${simulator().workspaceId}`;

		const byNode = await run(NODE, entered);
		const byRouter = await run(ROUTER, entered);

		expect(byNode.output).toEqual([{ things: ['a'] }]);
		expect(byNode.requests).toEqual([{ method: 'GET', path, query, rawBody: '' }]);
		expect(byRouter.requests).toEqual(byNode.requests);
	},
);

test('a value that a query must not have is refused before it is sent', async () => {
	const { requests, output } = await run(NODE, { limit: 0 });

	expect(requests).toEqual([]);
	expect(output).toEqual([]);
});
