import { readAnswer } from '../../../nodes/shared/answer/answer';
import { FAILURE_TEXTS } from '../../../nodes/shared/answer/failure';
import { explainNames } from '../../../nodes/shared/answer/namedFields';
import { operationOf } from '../samples';

const FIELDS = {
	name: 'Campaign Name',
	sheetURL: 'Sheet URL',
	language: 'Template Language',
	message: 'Message',
};

test.each<[text: string, explained: string | undefined]>([
	['sheetURL: Required', 'sheetURL is the field Sheet URL.'],
	['the sheetURL cannot be opened', 'sheetURL is the field Sheet URL.'],
	[
		'sheetURL, "name": Required',
		'sheetURL is the field Sheet URL. name is the field Campaign Name.',
	],
	['sheetURL and sheetURL', 'sheetURL is the field Sheet URL.'],
	['name should not be empty', 'name is the field Campaign Name.'],
	['"name" is required', 'name is the field Campaign Name.'],
	['Path `language` is required.', 'language is the field Template Language.'],
	['body.language must be a string', 'language is the field Template Language.'],
	['Invalid: language.code', 'language is the field Template Language.'],
	['message: Required', ''],
	['no template of that name in this language', undefined],
	['sheeturl, sheetURLs and mysheetURL', undefined],
	['"Oh", there is no template of that name.', undefined],
	['constructor: Required, __proto__: Required', undefined],
	['', undefined],
])('%j says %j', (text, explained) => {
	expect(explainNames(text, FIELDS)).toBe(explained);
});

const hintOf = (path: string, text: string, status = 400): string | undefined => {
	const answer = readAnswer(operationOf(path), { status, body: { message: text } });
	return answer.kind === 'accepted' ? undefined : answer.failure.hint;
};

const { hint } = FAILURE_TEXTS.invalidInput;

test.each([
	['campaign.createBulk', 'sheetURL: Required', `sheetURL is the field Sheet URL. ${hint}`],
	['campaign.createBulk', 'name: Required', `name is the field Campaign Name. ${hint}`],
	['msgapp.sendTemplate', 'parameters: Required', `parameters is the field Attributes. ${hint}`],
	['call.place', 'attributes: Invalid', `attributes is the field Custom Fields. ${hint}`],
	['chat.start', '"workspaceId" is invalid', `workspaceId is the field Workspace ID. ${hint}`],
	['sms.start', 'message: Required', hint],
	['knowledgeBase.get', 'Bad request', hint],
])('%s that is rejected with %j names the field of the form', (path, text, wanted) => {
	expect(hintOf(path, text)).toBe(wanted);
});

test.each(['call.place', 'sms.start', 'campaign.createSingle'])(
	'%s that is rejected without a reason says which fields are usually meant',
	(path) => {
		const usual = hintOf(path, 'Invalid input');

		expect(usual).toMatch(/"Assistant ID" .* "From Number" .* "To Number"/);
		expect(hintOf(path, 'toNumber: Invalid')).toBe(`toNumber is the field To Number. ${hint}`);
		expect(hintOf(path, 'toNumber: Server error', 500)).not.toMatch(/To Number/);
	},
);
