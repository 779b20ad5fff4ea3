import { gzipSync } from 'node:zlib';

import { EVENT, NOT_TAKEN, TAKEN } from '../../test/reports/eventBodies';
import { post } from '../post';
import { nodeOf } from '../workflows';
import { pairOf } from './agent';
import { activateCalls, CALL_NODE, reached, refuseOnce } from './calls';
import { createTrigger, useWorld } from './world';

const world = useWorld();

/** An execution that has called the first of two people, and failed at the second. */
async function failAtSecond(group: number) {
	const { client, simulator, credentials } = world();
	const pair = pairOf(group);
	refuseOnce(simulator, pair[1]);
	const { workflow, path } = await activateCalls(client, credentials);
	await post(`${client.baseUrl}${path}`, { people: pair });
	const [failed] = await client.finishedAfter('0', workflow.id, 1);
	return { pair, workflow, failedId: failed?.id ?? '' };
}

/** n8n-io/n8n#12957, n8n-io/n8n#32131: the workflow was edited before the retry. */
test('after the node was renamed, a retry of the saved workflow sends nothing, and of the old one what is missing', async () => {
	const { client, simulator } = world();
	const { pair, workflow, failedId } = await failAtSecond(81);
	const renamed = JSON.parse(
		JSON.stringify(workflow).replaceAll(`"${CALL_NODE}"`, '"Phone"'),
	) as typeof workflow;
	await client.updateWorkflow(workflow.id, renamed);

	await expect(client.retry(failedId, true)).rejects.toThrow();
	expect(reached(simulator, pair)).toEqual([1, 0]);

	expect((await client.retry(failedId)).status).toBe('success');
	expect(reached(simulator, pair)).toEqual([1, 1]);
});

/** n8n-io/n8n#14610, n8n-io/n8n#18683: a copy has the same IDs of nodes. */
test('a copy of a workflow knows nothing of what the first one sent, and takes nothing from its retry', async () => {
	const { client, simulator, credentials } = world();
	const { pair, workflow, failedId } = await failAtSecond(82);
	const copy = await activateCalls(client, credentials, {
		change: (draft) => {
			const { id } = nodeOf(workflow, CALL_NODE);
			return {
				...draft,
				nodes: draft.nodes.map((one) => (one.name === CALL_NODE ? { ...one, id } : one)),
			};
		},
	});

	await post(`${client.baseUrl}${copy.path}`, { people: pair });
	await client.finishedAfter('0', copy.workflow.id, 1);
	expect(reached(simulator, pair)).toEqual([2, 1]);

	expect((await client.retry(failedId)).status).toBe('success');
	expect(reached(simulator, pair)).toEqual([2, 2]);
});

/** n8n reads a body by its type before the trigger does; n8n-io/n8n#13577: it begins with the mark of a file. */
test('an event is taken as it comes, and what is none is refused', async () => {
	const { client } = world();
	const { url, workflowId, outputOf } = await createTrigger(world(), { authentication: 'none' });
	const marked = ['application/json; charset=utf-8', `\ufeff${JSON.stringify(EVENT)}`] as const;
	const taken = [...TAKEN, marked].map(
		([type, body], index) => [type, body.replace(EVENT.callId, `call ${index}`)] as const,
	);

	const statuses: number[] = [];
	for (const [type, body] of [...NOT_TAKEN, ...taken])
		// axios would make JSON of a text that is none.
		statuses.push(
			(await post(url, Buffer.from(body), { headers: { 'content-type': type } })).status,
		);

	expect(statuses).toEqual([...NOT_TAKEN.map(() => 400), ...taken.map(() => 200)]);
	const executions = await client.finishedAfter('0', workflowId, taken.length);
	expect(executions.flatMap(outputOf)).toMatchObject(
		taken.map((_, index) => ({ callId: `call ${index}`, summary: EVENT.summary })),
	);
});

/** OpenFn/lightning#3937, TracecatHQ/tracecat#1289: n8n unpacks some types, and the trigger reads others. */
test.each(['application/json', 'text/json'])(
	'an event as %s that is compressed is taken',
	async (type) => {
		const { url, workflowId, outputOf } = await createTrigger(world(), { authentication: 'none' });
		const headers = { 'content-type': type, 'content-encoding': 'gzip' };

		const { status } = await post(url, gzipSync(JSON.stringify(EVENT)), { headers });

		expect(status).toBe(200);
		const executions = await world().client.finishedAfter('0', workflowId, 1);
		expect(executions.flatMap(outputOf)).toMatchObject([EVENT]);
	},
);
