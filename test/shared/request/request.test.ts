import fc from 'fast-check';

import { OPERATION_CASES } from '../../operations';
import { pathOf, urlOf } from '../../operations/row';
import {
	ASSISTANT_ID,
	namesRead,
	operationOf,
	operations,
	OTHER_ID,
	planOf,
	planOrProblems,
	valuesOf,
	WORKSPACE_ID,
	type Values,
} from '../samples';

const paths = [...operations.keys()];

test.each(OPERATION_CASES)('$name: path, query and body', (one) => {
	const { main } = planOf(pathOf(one), valuesOf(one));

	expect(`${main.method} ${main.url}`).toBe(`${one.method} ${urlOf(one)}`);
	expect(main.body).toEqual(one.body);
	expect(main.timeout).toBe(one.resource === 'chat' ? 300_000 : 60_000);
});

describe('requests beside the main one', () => {
	test('the template takes what the message would have had', () => {
		const rows = { attributes: { values: [{ name: 'first', value: 'Ada' }] } };
		const { main, fallback } = planOf('msgapp.continueConversation', {
			...rows,
			whenWindowClosed: 'sendTemplate',
			options: { timeout: 5, workspaceId: OTHER_ID },
		});

		expect(main.body).toEqual({
			toNumber: '+4915112345678',
			message: 'Hello',
			attributes: { first: 'Ada' },
		});
		expect(fallback).toMatchObject({
			url: `/v1/msgapp/manage/sendTemplateMessage/${OTHER_ID}/${ASSISTANT_ID}`,
			timeout: 5,
		});
		expect(fallback?.body).toEqual({
			toNumber: '+4915112345678',
			templateName: 'appointment_reminder',
			language: 'de',
			parameters: { first: 'Ada' },
		});
	});

	test('the previous prompt is asked for only if it is wanted', () => {
		expect(planOf('assistant.updatePrompt').before).toBeUndefined();

		const { before } = planOf('assistant.updatePrompt', {
			options: { returnPreviousPrompt: true },
		});
		expect(before).toMatchObject({
			method: 'GET',
			url: `/v1/assistants/getPrompt/${WORKSPACE_ID}/${ASSISTANT_ID}`,
		});
		expect(before).not.toHaveProperty('body');
	});
});

/** Settings under which every field of every operation is shown at some time. */
const SETTINGS: Values[] = [
	{},
	{ specifyAttributes: 'json', campaignType: 'sms', continueBy: 'conversationId' },
	{ campaignType: 'msgapp', paragraphSource: 'text', whenWindowClosed: 'sendTemplate' },
	{ paragraphSource: 'json', options: { returnPreviousPrompt: true } },
];

describe.each(paths)('%s', (path) => {
	test.each(SETTINGS)('reads every parameter once, with %j', (settings) => {
		const names = namesRead(path, settings);

		expect(new Set(names).size).toBe(names.length);
		expect(names).toContain('options');
	});

	test('takes the workspace of the options before that of the credential', () => {
		const of = (values: Values, credential: string) => {
			const { url, body } = planOf(path, values, credential).main;
			return JSON.stringify([url, body]);
		};

		expect(of({}, WORKSPACE_ID)).toContain(WORKSPACE_ID);
		const other = of({ options: { workspaceId: OTHER_ID } }, WORKSPACE_ID);
		expect(other).toContain(OTHER_ID);
		expect(other).not.toContain(WORKSPACE_ID);
		expect(of({ options: { workspaceId: OTHER_ID } }, 'no UUID')).toContain(OTHER_ID);
	});

	test('sends nothing blank, whatever is left empty', () => {
		const blanks = fc.dictionary(
			fc.constantFrom(...operationOf(path).fields.map(({ property }) => property.name)),
			fc.constantFrom('', '  ', null, undefined, {}, { values: [] }),
		);
		fc.assert(
			fc.property(blanks, fc.constantFrom(...SETTINGS), (empty, settings) => {
				const plan = planOrProblems(path, { ...settings, ...empty });

				if ('problems' in plan) return;
				for (const value of Object.values(plan.main.body ?? {})) {
					expect(['', null, undefined]).not.toContain(value);
					expect(JSON.stringify(value)).not.toMatch(/^(?:\{\}|\[\]|"\s*")$/);
				}
			}),
		);
	});
});
