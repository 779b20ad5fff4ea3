import { sent, shownFor, type Field } from '../../../nodes/shared/declaration/field';
import {
	defineOperation,
	type Declaration,
	type Operation,
} from '../../../nodes/shared/declaration/operation';
import { oneOf, text } from '../../../nodes/shared/declaration/schemas';
import { createRequest } from '../../../nodes/shared/items/serviceRequest';
import { operations } from '../samples';
import { flawsOf } from './operationFlaws';

const fieldOf = (name: string): Field => ({
	property: { displayName: name, name, type: 'string', default: '' },
	schema: text,
});

const thing = sent(fieldOf('thingId'));
const color = fieldOf('color');

const how = {
	property: { displayName: 'How', name: 'how', type: 'options', default: 'paint' },
	schema: oneOf('paint', 'dip'),
} satisfies Field;

const contactRule = fieldOf('onlyOn');

const WITH_THING = '/v1/things/{workspaceId}/{thingId}';

const define = (
	method: 'GET' | 'DELETE' | 'PUT' | 'POST',
	url: string,
	fields: readonly Field[],
	more: Partial<Declaration> = {},
): Operation =>
	defineOperation({
		name: 'Get Thing',
		value: 'getThing',
		action: 'Get a thing',
		toolDescription: 'Gets a thing.',
		description: 'Get a thing',
		specification: '4.1',
		request: { method, url },
		fields,
		repeatable: true,
		done: 'done',
		timeout: 1_000,
		successMarkers: {},
		simplify: (answer) => answer,
		...more,
	});

const getThing = define('GET', WITH_THING, [thing]);
const fallback = { field: 'how', value: 'dip', kinds: [], operation: getThing } as const;

test.each<[name: string, define: () => Operation]>([
	['an option in the path', () => define('GET', WITH_THING, [], { options: [thing] })],
	[
		'an option that a field shows',
		() => define('PUT', '/v1/things', [how], { options: [shownFor(how, ['dip'], sent(color))] }),
	],
])('%s that sends all that is asked for has no flaw', (_, defineIt) => {
	expect(flawsOf(defineIt())).toEqual([]);
});

test.each<[flaw: string, define: () => Operation]>([
	['color is sent nowhere', () => define('GET', WITH_THING, [thing, sent(color)])],
	[
		'workspaceId cannot be always sent: another option is',
		() =>
			define('POST', WITH_THING, [thing], { options: [{ ...sent(color), isAlwaysSent: true }] }),
	],
	['workspaceId is sent nowhere', () => define('GET', '/v1/things/{thingId}', [thing])],
	['nothing fills {color}', () => define('POST', `${WITH_THING}/{color}`, [thing])],
	[
		'color depends on how, which does not stand before it',
		() => define('PUT', '/v1/things', [shownFor(how, ['dip'], sent(color))]),
	],
	['how is asked for and not used', () => define('GET', WITH_THING, [thing, how])],
	[
		'color is asked for twice',
		() => define('POST', WITH_THING, [thing, sent(color), sent(color, 'colour')]),
	],
	[
		'the recipient color is not sent',
		() => define('GET', WITH_THING, [thing], { recipient: 'color' }),
	],
	[
		'the recipient size is not sent',
		() => define('GET', WITH_THING, [thing], { writesFor: ['thingId', 'size'] }),
	],
	[
		'no rules of contact hold back the recipient color',
		() => define('POST', WITH_THING, [thing, sent(color)], { recipient: 'color' }),
	],
	[
		'there are rules of contact, but no recipient',
		() => define('POST', WITH_THING, [thing], { rules: [contactRule] }),
	],
	['only Get Thing asks for thingId', () => define('POST', '/v1/things', [how], { fallback })],
	[
		'Get Thing does not send size',
		() => define('POST', WITH_THING, [thing, how], { fallback, options: [sent(fieldOf('size'))] }),
	],
	[
		'there is no field how with the value dip',
		() => define('POST', WITH_THING, [thing], { fallback }),
	],
	[
		'there is no field how with the value x',
		() => define('POST', WITH_THING, [thing, how], { fallback: { ...fallback, value: 'x' } }),
	],
])('a flaw is found: %s', (flaw, defineIt) => {
	expect(flawsOf(defineIt())).toContain(flaw);
});

test.each([...operations])('%s has no flaw', (path, operation) => {
	// The node does not know the numbers of a sheet.
	const isBulk = path === 'campaign.createBulk';
	const allowed = isBulk ? ['no rules of contact hold back the recipient sheetURL'] : [];

	expect(flawsOf(operation)).toEqual(allowed);
});

test('no request is made with a hole in its path', () => {
	expect(() => createRequest(getThing, { workspaceId: 'w' }, 1)).toThrow('{thingId} has no value');
	expect(createRequest(getThing, { workspaceId: '{thingId}', thingId: '$& {x}' }, 1).url).toBe(
		'/v1/things/%7BthingId%7D/%24%26%20%7Bx%7D',
	);
});
