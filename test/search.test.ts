import { sublimeSearch } from '@n8n/utils/search/sublime-search';

import type { INodeProperties } from 'n8n-workflow';

import { AssistantServiceApi } from '../credentials/AssistantServiceApi.credentials';
import codex from '../nodes/AssistantService/AssistantService.node.json';
import { AssistantService } from '../nodes/AssistantService/AssistantService.node';
import { AssistantServiceTrigger } from '../nodes/AssistantServiceTrigger/AssistantServiceTrigger.node';
import { groupsIn } from './repository';
import { operations, withInner } from './shared/samples';

const action = new AssistantService().description;
const trigger = new AssistantServiceTrigger().description;

/**
 * By what n8n's editor searches, with its own search: display name and aliases. The trigger is no entry of its own there:
 * n8n merges it into the entry of the node whose name it has, which keeps the aliases of the node alone. n8n makes the tool
 * of the node and keeps its aliases (seen in 2.41).
 */
const ENTRIES = [action.displayName, `${action.displayName} Tool`];

/** What people type who look for such a node. */
const PHRASES = (
	'phone call, call, dial, telephone, outbound call, text message, send sms, sms, message, conversation, chat, chatbot, ' +
	'voicebot, ai assistant, whatsapp, bulk, campaign, template, faq, knowledge base, transcript, call ended, ' +
	'call summary, agent, paragraph, lock'
).split(', ');

const scoreOf = (phrase: string, properties: { displayName: string; codex: { alias: string[] } }) =>
	sublimeSearch(phrase, [{ properties }])[0]?.score ?? -Infinity;

test.each(PHRASES)('node and tool are found by "%s"', (phrase) => {
	// What only happens to hold its letters is far down in the list.
	const asAlias = scoreOf(phrase, { displayName: '', codex: { alias: [phrase] } });

	expect(asAlias).toBeGreaterThan(0);
	for (const entry of ENTRIES)
		expect(scoreOf(phrase, { displayName: entry, codex })).toBeGreaterThanOrEqual(asAlias);
});

test.each([action, trigger])('$displayName tells AI builders of operations that exist', (type) => {
	const { searchHint = '', relatedNodes = [] } = type.builderHint ?? {};
	const relationHints = relatedNodes.map(({ relationHint }) => relationHint);
	const all = [searchHint, ...relationHints].join(' ');
	const named = groupsIn(all, /`([^`]*)`/g).flat();

	expect(named.filter((name) => !operations.has(name))).toEqual([]);
	// A call that is awaited needs the trigger. No campaign for a list, and no second workflow for a result.
	expect(all).toMatch(/by `campaign\..+placeAndWait` needs|published for `call\.placeAndWait`/);
	expect(all).not.toMatch(/(?<!Never call a list by `)campaign\.|does not wait/);
	// As nodes of n8n do.
	expect(searchHint.length).toBeLessThanOrEqual(600);
	expect(Math.max(...relationHints.map(({ length }) => length))).toBeLessThanOrEqual(260);
});

const properties = [
	...action.properties,
	...trigger.properties,
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
