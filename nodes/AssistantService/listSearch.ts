import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { messageOf, type Failure } from '../shared/answer/failure';
import { createNodeError } from '../shared/answer/nodeError';
import { checkCredential } from '../shared/service/credential';
import { isSendable } from '../shared/items/item';
import { readItem } from '../shared/items/readItem';
import { createTransport, CREDENTIAL } from '../shared/service/transport';
import { toPlainText } from '../shared/values';
import { getKnowledgeBase } from './resources/knowledgeBase';

/** How much of a paragraph is shown in the list, in characters. */
const MAX_NAME = 80;

/**
 * Lists the paragraphs of the chosen knowledge base whose text or key holds the filter (S 4.12).
 *
 * @throws NodeApiError | NodeOperationError if the knowledge base cannot be read
 */
export async function searchParagraphs(this: ILoadOptionsFunctions, filter = '') {
	const credential = await this.getCredentials(CREDENTIAL);
	const plan = readItem(
		getKnowledgeBase,
		({ property }) => this.getCurrentNodeParameter(property.name) ?? property.default,
		checkCredential(credential),
		() => '',
	);
	const errorOf = (failure: Failure) => createNodeError(this.getNode(), failure, { itemIndex: 0 });
	if (!isSendable(plan)) {
		const message = messageOf(plan.failure);
		throw errorOf({ ...plan.failure, message, hint: 'Enter the "Knowledge Base ID" first.' });
	}
	const answer = await createTransport(this, credential)(plan.request);
	if (answer.kind !== 'accepted') throw errorOf(ofKnowledgeBase(answer.failure));

	const { properties } = plan;
	const paragraphs = [getKnowledgeBase.simplify(answer.body, { properties, via: 'main' })].flat();
	const wanted = filter.toLowerCase();
	const results = paragraphs
		.map(({ key, text }) => ({ value: toPlainText(key), text: toPlainText(text) }))
		.filter(({ value, text }) => `${text} ${value}`.toLowerCase().includes(wanted))
		.map(({ value, text }) => ({ value, name: shorten(text) || value }));
	return { results };
}

/** Names the knowledge base as what is rejected or not found: only IDs are sent (S 7.2). */
function ofKnowledgeBase(failure: Failure): Failure {
	if (failure.kind !== 'invalidInput' && failure.kind !== 'notFound') return failure;
	return {
		...failure,
		message: 'The service has no knowledge base with this ID',
		hint: 'Check the "Knowledge Base ID", and that the knowledge base belongs to the workspace of the credential.',
	};
}

function shorten(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME - 1)}…` : line;
}
