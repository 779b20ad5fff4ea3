import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import type { INodeTypeDescription } from 'n8n-workflow';

import codex from '../nodes/AssistantService/AssistantService.node.json';
import { AssistantService } from '../nodes/AssistantService/AssistantService.node';
import { AssistantServiceTrigger } from '../nodes/AssistantServiceTrigger/AssistantServiceTrigger.node';
import { name as packageName } from '../package.json';
import { operations } from './shared/samples';

const action = new AssistantService().description;
const { displayName, name } = action;
const trigger = new AssistantServiceTrigger().description;

/**
 * What n8n's editor searches, with its own search: display name and aliases. The trigger is no entry of its own there: n8n
 * merges it into the entry of the node whose name it has, which keeps the aliases of the node alone.
 */
const ENTRIES = {
	'the node panel': { properties: { displayName, codex } },
	// n8n makes the tool of the node and keeps its aliases (seen in 2.41).
	'the tool panel': { properties: { displayName: `${displayName} Tool`, codex } },
};

/** What people type who look for such a node. */
const PHRASES = (
	'phone call, call, dial, telephone, outbound call, text message, send sms, sms, message, conversation, chat, chatbot, ' +
	'voicebot, ai assistant, whatsapp, bulk, campaign, template, faq, knowledge base, transcript, call ended, ' +
	'call summary, agent, paragraph, lock'
).split(', ');

describe.each(Object.entries(ENTRIES))('%s finds the node', (_, entry) => {
	test.each(PHRASES)('by "%s"', (phrase) => {
		const [found] = sublimeSearch(phrase, [entry]);
		const [best] = sublimeSearch(phrase, [
			{ properties: { displayName: '', codex: { alias: [phrase] } } },
		]);

		// As good as an alias that is the phrase: what only happens to hold its letters is far down in the list.
		expect(found?.score).toBeGreaterThanOrEqual(best?.score ?? Infinity);
	});
});

test('n8n merges the trigger into the entry of the node, with the description of the trigger', () => {
	expect(trigger.name.replace('Trigger', '')).toBe(name);
	expect(trigger.description).toMatch(/call, message and chat/i);
	expect(trigger.description).toMatch(/call has ended$/);
});

test('n8n offers node and trigger together to AI workflow builders, and says what they do', () => {
	const related = (type: INodeTypeDescription) =>
		type.builderHint?.relatedNodes?.map(({ nodeType }) => nodeType);

	expect(related(trigger)).toEqual([`${packageName}.${name}`]);
	expect(related(action)).toEqual([`${packageName}.${trigger.name}`]);
	expect(trigger.builderHint?.searchHint).toMatch(/when an assistant's call has ended/);
	expect(action.builderHint?.searchHint).toMatch(/real phone calls/);
});

describe.each([action, trigger])('what $displayName says to AI workflow builders', (type) => {
	const { searchHint = '', relatedNodes = [] } = type.builderHint ?? {};
	const relationHints = relatedNodes.map(({ relationHint }) => relationHint);
	const all = [searchHint, ...relationHints].join(' ');
	const named = [...all.matchAll(/`([^`]*)`/g)].map(([, one]) => one);

	test('names operations that exist, and the one that waits', () => {
		expect(named.filter((one) => !operations.has(one ?? ''))).toEqual([]);
		expect(named).toContain('call.placeAndWait');
		expect(all).toMatch(/placeAndWait` needs|published for `call\.placeAndWait`/);
	});

	test('is as short as what nodes of n8n say', () => {
		expect(searchHint.length).toBeLessThanOrEqual(600);
		expect(Math.max(...relationHints.map(({ length }) => length))).toBeLessThanOrEqual(260);
	});

	test('suggests no campaign for a list, and no second workflow for a result', () => {
		expect(all.match(/[^.]*campaign\.[^.]*/g) ?? []).toEqual(
			type === action ? [expect.stringContaining('Never call a list by')] : [],
		);
		expect(all).not.toMatch(/does not wait/);
	});
});
