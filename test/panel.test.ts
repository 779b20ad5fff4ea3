import type { INodeProperties } from 'n8n-workflow';

import { AssistantServiceApi } from '../credentials/AssistantServiceApi.credentials';
import { AssistantService } from '../nodes/AssistantService/AssistantService.node';
import { AssistantServiceTrigger } from '../nodes/AssistantServiceTrigger/AssistantServiceTrigger.node';
import { withInner } from './shared/samples';

const properties = [
	...new AssistantService().description.properties,
	...new AssistantServiceTrigger().description.properties,
	...new AssistantServiceApi().properties,
].flatMap(withInner);

/** What the panel says of a parameter and of the entries of its menu. */
const textsOf = ({ type, displayName, description, hint, options = [] }: INodeProperties) => [
	...[type === 'notice' ? displayName : '', description ?? '', hint ?? ''],
	...options.map((option) => ('value' in option ? (option.description ?? '') : '')),
];

test('no text of a panel has more than 30 words, and none, also for an agent, is stilted', () => {
	const texts = [...new Set(properties.flatMap(textsOf))];
	const forAgents = properties.map((property) => JSON.stringify(property.default));

	expect(texts.length).toBeGreaterThan(100);
	expect(texts.filter((text) => text.split(/\s+/).length > 30)).toEqual([]);
	expect([...texts, ...forAgents].filter((text) => /\bwho(?:m|ever)\b/i.test(text))).toEqual([]);
});
