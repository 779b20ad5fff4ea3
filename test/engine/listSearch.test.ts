import { LoadOptionsContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { searchParagraphs } from '../../nodes/AssistantService/listSearch';
import { useOtherServers, type Answerer } from '../otherServer';
import { KNOWLEDGE_BASE_ID, OTHER_ID } from '../shared/samples';
import { createAdditionalData, createNode, NODE_TYPE, workflowOf } from './engine';
import { credentialFor, useSimulator } from './world';

const simulator = useSimulator();
const startServer = useOtherServers();

/** Opens the list of the field Paragraph as the editor does. */
async function search(
	parameters: INodeParameters,
	filter?: string,
	changes: ICredentialDataDecryptedObject = {},
) {
	const node = createNode('Assistant Service', NODE_TYPE, { parameters });
	const workflow = workflowOf([node]);
	const additionalData = createAdditionalData(
		{ ...credentialFor(simulator()), ...changes },
		{ currentNodeParameters: parameters },
	);
	const context = new LoadOptionsContext(workflow, node, additionalData, 'parameters.paragraphKey');
	return await searchParagraphs.call(context, filter);
}

const chosen = () => ({ knowledgeBaseId: simulator().knowledgeBaseId, options: {} });

test('lists every paragraph with its text and its key', async () => {
	expect(await search(chosen())).toEqual({
		results: [
			{ name: 'The practice is open on weekdays from 8:00 to 18:00.', value: 'opening-hours' },
			{ name: 'Appointments can be cancelled up to 24 hours before.', value: 'how-to-cancel' },
			{ name: 'There are free parking places behind the building.', value: 'parking' },
		],
	});
});

test('finds words in text or key', async () => {
	const { results } = await search(chosen(), 'HOURS');

	expect(results.map(({ value }) => value)).toEqual(['opening-hours', 'how-to-cancel']);
});

test('says that the knowledge base has to be entered first', async () => {
	await expect(search({ knowledgeBaseId: '' })).rejects.toMatchObject({
		message: expect.stringMatching(/^Knowledge Base ID is empty/) as unknown,
	});
	expect(simulator().requests).toEqual([]);
});

/** The editor takes a dash out of the message of an error, so that an ID would have spaces. */
const DASH = /[-–—]/;

test('says what is no ID', async () => {
	const knowledgeBaseId = `https://example.com/${OTHER_ID}/${KNOWLEDGE_BASE_ID}`;
	const error: unknown = await search({ knowledgeBaseId }).catch((reason: unknown) => reason);

	expect(error).toMatchObject({
		message: expect.stringMatching(/^Knowledge Base ID: expected /) as unknown,
	});
	expect(error).toMatchObject({ message: expect.not.stringMatching(DASH) as unknown });
	expect(simulator().requests).toEqual([]);
});

test.each([400, 404])('says that there is no such knowledge base: %d', async (status) => {
	simulator().addFault({ kind: 'status', status });

	await expect(search({ knowledgeBaseId: OTHER_ID })).rejects.toMatchObject({
		message: 'The service has no knowledge base with this ID',
		description: expect.stringMatching(/Check the "Knowledge Base ID"/) as unknown,
	});
});

test('says what the service said', async () => {
	simulator().addFault({ kind: 'status', status: 401 });

	await expect(search(chosen())).rejects.toMatchObject({
		message: 'The API key is not valid',
		httpCode: '401',
	});
});

/** Answers 200 byte by byte, so that no pause is long: so many blanks, 25 ms apart, and then the body. */
const drip =
	(blanks: number, body: string): Answerer =>
	(response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		let left = blanks;
		const timer = setInterval(() => {
			if (left-- > 0) response.write(' ');
			else response.end(body);
		}, 25);
		response.on('close', () => {
			clearInterval(timer);
		});
	};

test('has a deadline, not only a limit between two bytes', async () => {
	const { baseUrl } = await startServer(
		drip(40, '{"knowledgeBase":{"label":"x","paragraphs":[]}}'),
	);
	const searchWithin = async (timeout: number) =>
		await search({ ...chosen(), options: { timeout } }, '', { baseUrl });

	const [ended, answered] = await Promise.allSettled([searchWithin(250), searchWithin(20_000)]);

	expect(ended).toMatchObject({ reason: { context: { details: { kind: 'timeout' } } } });
	expect(answered).toMatchObject({ value: { results: [] } });
});
