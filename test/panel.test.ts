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
	...(type === 'notice' ? [displayName] : []),
	...[description ?? '', hint ?? ''],
	...options.map((option) => ('value' in option ? (option.description ?? '') : '')),
];

const TEXTS = [...new Set(properties.flatMap(textsOf))];

test('no text of a panel has more than 30 words', () => {
	expect(TEXTS.length).toBeGreaterThan(100);
	expect(TEXTS.filter((text) => text.split(/\s+/).length > 30)).toEqual([]);
});

test('no text of a panel, or for an agent, is stilted', () => {
	const forAgents = properties.map((property) => JSON.stringify(property.default));

	expect([...TEXTS, ...forAgents].filter((text) => /\bwho(?:m|ever)\b/i.test(text))).toEqual([]);
});
