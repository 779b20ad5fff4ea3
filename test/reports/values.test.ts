import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { allowedHours, rulesOf } from '../../nodes/shared/rules/contactRules';
import { zonesOfNumber } from '../../nodes/shared/rules/numberZones';
import { Rules } from '../../nodes/shared/rules/rules';
import { CONTINUE } from '../engine/contacts';
import { runNode } from '../engine/engine';
import { credentialFor, useSimulator } from '../engine/world';
import { rowOf } from '../operations';
import { pathOf } from '../operations/row';
import { valueOf } from '../shared/samples';
import {
	ATTRIBUTES,
	attributes,
	BROKEN_KEYS,
	CELLS,
	CURLY_JSON,
	CUSTOM_FIELDS,
	HOURS,
	JSON_OF_NOTE,
	KEY,
	LOST_IN_TEXTS,
	message,
	NOTES,
	PASTED_KEYS,
	RULES_OF_ZONE,
	TWO_PARAGRAPHS,
	ZONES,
	ZONES_OF_NUMBERS,
} from './values';

const simulator = useSimulator({ apiKey: KEY });

/** What the node puts out for an operation with these values, and what the service got. */
async function run(path: string, values: INodeParameters, items: IDataObject[], key = KEY) {
	const row = rowOf(path);
	const [resource = '', operation = ''] = pathOf(row).split('.');
	const { requests } = simulator();
	requests.splice(0);
	const { items: output } = await runNode({
		credential: { ...credentialFor(simulator()), apiKey: key },
		parameters: { resource, operation, ...row.parameters, ...values },
		items,
		...CONTINUE,
	});
	const bodies = requests.map(({ body }) => body as IDataObject);
	return { output: output.map(({ json }) => json), bodies, requests };
}

const NOT_SENT = { details: { kind: 'invalidInput', outcome: 'notSent' } };

test('a message is sent character for character', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 20 }), async (texts) => {
			const items = texts.map((one) => ({ text: one, secret: 'no' }));
			const { bodies } = await run('sms.start', { message: '={{ $json.text }}' }, items);

			expect(bodies.map(({ message }) => message)).toEqual(texts);
		}),
		{ numRuns: 20 },
	);
});

test.each(LOST_IN_TEXTS)('the message %s is sent to nobody of %j', async (entered, item) => {
	const { output, bodies } = await run('sms.start', { message: entered }, [item]);

	expect(output).toMatchObject([
		{ ...NOT_SENT, error: expect.stringMatching(/^Message: .*"(?:#|Invalid Date)/) as unknown },
	]);
	expect(bodies).toEqual([]);
});

test.each(LOST_IN_TEXTS)('a question of %s is sent, whatever %j quotes', async (entered, item) => {
	const { bodies } = await run('chat.start', { question: entered }, [item]);

	expect(bodies).toMatchObject([
		{ question: expect.stringMatching(/#N\/A|#REF!|Invalid Date/) as unknown },
	]);
});

test.each(TWO_PARAGRAPHS)('%j is two paragraphs', async (text) => {
	const values = { paragraphSource: 'text', text: '={{ $json.text }}' };

	const { bodies } = await run('knowledgeBase.addParagraphs', values, [{ text }]);

	expect(JSON.stringify(bodies)).toMatch(/"One"\W.*"Two"/);
});

test.each(ATTRIBUTES)('attributes of %j are sent as %j', async (values, sent) => {
	const { bodies } = await run('msgapp.startConversation', values, [{ attributes }]);

	expect(bodies).toMatchObject([{ attributes: sent }]);
});

test.each(CUSTOM_FIELDS)(
	'the custom field %j is sent as %j, or the item is refused',
	async (value, sent) => {
		const values = { customFields: { customField1: '={{ $json.value }}' } };

		const { output, bodies } = await run('call.place', values, [{ value }]);

		expect(bodies.map(({ attributes }) => attributes)).toEqual(
			sent === undefined ? [] : [{ customField1: sent }],
		);
		if (sent === undefined) expect(output).toMatchObject([NOT_SENT]);
	},
);

test('JSON that a value breaks refuses its row alone', async () => {
	const values = { specifyAttributes: 'json', attributesJson: JSON_OF_NOTE };
	const items = NOTES.map(([note]) => ({ note }));

	const { output, bodies } = await run('call.place', values, items);
	const curly = { ...values, attributesJson: CURLY_JSON };

	expect(output).toMatchObject(
		NOTES.map(([, sent]) => (sent === 'refused' ? NOT_SENT : { result: 'placed' })),
	);
	expect(bodies.map((body) => body.attributes ?? 'no attributes')).toEqual(
		NOTES.map(([, sent]) => sent).filter((sent) => sent !== 'refused'),
	);
	expect((await run('call.place', curly, [{}])).output).toMatchObject([NOT_SENT]);
});

test.each(PASTED_KEYS)('the pasted key %j is the key', async (key) => {
	const { output, requests } = await run('call.place', {}, [{}], key);

	expect(output).toMatchObject([{ result: 'placed' }]);
	expect(requests[0]?.headers['x-api-key']).toBe(KEY);
});

test.each(BROKEN_KEYS)('with the key %j nothing is sent', async (key) => {
	const { output, requests } = await run('call.place', {}, [{}], key);

	expect(output).toMatchObject([NOT_SENT]);
	expect(JSON.stringify(output)).not.toContain('ab|');
	expect(requests).toEqual([]);
});

test.each(ZONES)('the time zone %j of a row is read: %j', async (zone, isRead) => {
	const { output } = await run('call.place', { contactRules: RULES_OF_ZONE }, [{ zone }]);

	expect(output).toMatchObject([isRead ? { result: 'placed' } : NOT_SENT]);
});

test.each(CELLS)('%s: with the rule %j, %j is refused', async (_, contactRules, item) => {
	const { output, requests } = await run('call.place', { contactRules }, [item]);

	expect(output).toMatchObject([NOT_SENT]);
	expect(requests).toEqual([]);
});

test.each(HOURS)('%s: in the hours %s a call due at %s is made: %s', (_, hours, due, made) => {
	const read = valueOf(allowedHours.schema, hours);
	const held = () => {
		const rules = rulesOf({ allowedHours: read, timezone: 'America/Bogota' });
		return new Rules('', '', []).holdOutside({ toNumber: '', rules }, Date.parse(due));
	};

	expect(read === 'refused' ? read : (held()?.notBefore ?? 'then')).toBe(made);
});

test.each(ZONES_OF_NUMBERS)('%s: %s is in %s', (_, number, zone) => {
	expect(zonesOfNumber(number)).toEqual([zone]);
});
