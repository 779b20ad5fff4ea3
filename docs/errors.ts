import { menu } from '../nodes/AssistantService/resources';
import { readAnswer } from '../nodes/shared/answer/answer';
import { tellFault } from '../nodes/shared/answer/valueFault';
import { FAILURE_TEXTS, type FailureKind } from '../nodes/shared/answer/failure';
import { recipientNumber } from '../nodes/shared/declaration/phoneNumber';
import { text, uuid, type ValueSchema } from '../nodes/shared/declaration/schemas';
import { NOT_REDIRECTED } from '../nodes/shared/items/readItem';
import { CANCELED } from '../nodes/shared/output/outputItems';
import { DIFFERS, NESTED } from '../nodes/shared/service/credential';
import { readValue } from '../nodes/shared/declaration/readValue';
import { BLANK, needsRule } from '../nodes/shared/items/reading';
import { allowedHours, contactRules } from '../nodes/shared/rules/contactRules';
import { SAID } from './errorTexts';
import { row, table } from './operations';
import { toldProblems, type Told } from './texts';

/** The statuses of errors that the service shows, that of a proxy, and those that ask for patience. */
const STATUSES = [400, 401, 402, 403, 404, 407, 408, 409, 429, 500, 503];

/** When each kind of failure appears. */
const WHEN: Readonly<Record<FailureKind, string>> = {
	invalidInput: 'The service refused the values. The first table has those that the node refuses.',
	invalidApiKey: 'The service does not know the key of the credential.',
	missingApiKey: 'The service says that the request had no key.',
	upgradeRequired: 'The plan of your account has no room for this request.',
	forbidden: 'The key is good, but not for this assistant, knowledge base or workspace.',
	notFound: 'An ID of the item is wrong, or the conversation does not exist.',
	windowClosed: 'Continue Conversation of Msgapp: the customer wrote more than 24 hours ago.',
	windowNotOpen: 'Continue Conversation of Msgapp: the customer has never answered.',
	noSenderNumber: 'Start Conversation of Msgapp, before the workspace has a number.',
	rateLimited: 'The service asked to wait, for longer than Max Wait allows.',
	serviceError: 'The service itself failed. A call or message may have gone out.',
	badResponse: 'Something answered that is not the service, or the service said no unclearly.',
	unreachable: 'No connection was made, or it broke.',
	timeout: 'No answer came within Timeout. A call or message may have gone out.',
	stopped: 'An earlier item failed.',
};

/** Of these, the outcome can be unknown, and their hint is then not told. */
const MAYBE_UNKNOWN: readonly string[] = [
	'serviceError',
	'badResponse',
	'unreachable',
	'timeout',
] satisfies FailureKind[];

const IF_UNKNOWN =
	'If the outcome is `unknown`, [look it up first](recover-a-run.md#the-outcome-is-unknown). ';

/** What `outcome` says, and whether a retry sends the item. */
const OUTCOMES = [
	['`refused`', 'The service said no. Nothing happened.', 'yes'],
	['`notSent`', 'The request never left n8n in this try.', 'yes'],
	[
		'`unknown`',
		'It was sent, and no clear answer came. The call or message may have gone out.',
		'only if _If Unsure Whether It Was Sent_ is _Send Again_, or if it is safe to repeat',
	],
] as const;

/** Every text that the nodes say of a problem: when it appears, and what to do. */
export function errorsPage(): string {
	const told = toldProblems();
	return [
		'## A value cannot be used',
		checksTable(),
		'## Outcomes',
		table(
			['`outcome`', 'What it means', 'A retry sends it'],
			OUTCOMES.map((cells) => row(...cells)),
		),
		'## What the service or the network said',
		kindsTable(),
		...Object.entries(SAID).flatMap(([heading, said]) => [`## ${heading}`, saidTable(said, told)]),
	].join('\n\n');
}

function kindsTable(): string {
	const rows = Object.entries(FAILURE_TEXTS).map(([kind, { message, hint }]) => {
		const statuses = statusesOf(kind);
		const when = statuses.length === 0 ? '' : ` Status ${statuses.join(', ')}.`;
		const toDo = (MAYBE_UNKNOWN.includes(kind) ? IF_UNKNOWN : '') + hint;
		return row(message, `\`${kind}\``, whenOf(kind) + when, toDo);
	});
	return table(['Text', '`kind`', 'When it appears', 'What to do'], rows);
}

const whenOf = (kind: string): string =>
	Object.entries(WHEN).find(([name]) => name === kind)?.[1] ?? '';

function statusesOf(kind: string): string[] {
	const everywhere = STATUSES.filter((status) => meaningOf(status) === kind).map(String);
	const here = menu.resources.flatMap((resource) =>
		resource.operations.flatMap((operation) =>
			Object.entries(operation.statusKinds ?? {})
				.filter(([, meaning]) => meaning === kind)
				.map(([status]) => `${status} of ${resource.name}: ${operation.name}`),
		),
	);
	return [...everywhere, ...here];
}

/** What a status without a text means to an operation that has no meaning of its own for it. */
function meaningOf(status: number): string | undefined {
	const answer = readAnswer({ repeatable: false, successMarkers: {} }, { status, body: {} });
	return answer.kind === 'accepted' ? undefined : answer.failure.kind;
}

/** @throws Error if nothing says one of the texts */
function saidTable(said: (typeof SAID)[string], told: readonly Told[]): string {
	const rows = said.map(([message, when, toDo]) => {
		const found = told.find((one) => one.message === message);
		// What is added to any text is found in no object of its own, nor is what is said of a whole run.
		if (found === undefined && !message.startsWith('…, ') && message !== CANCELED)
			throw new Error(`nothing says "${message}"`);
		return row(message, when, toDo ?? found?.hint ?? '');
	});
	return table(['Text', 'When it appears', 'What to do'], rows);
}

/** What a check says of a value: the text of the code. */
function saidOf(displayName: string, schema: ValueSchema, value: unknown): string {
	const [fault] = readValue(displayName, schema, value, true).faults;
	if (fault === undefined) throw new Error(`${String(value)} is good`);
	return tellFault(fault);
}

const number = (written: string): string => saidOf('To Number', recipientNumber, written);

/** What the node says of a message with a name in curly braces that no attribute fills. */
function unfilledName(): string {
	const operations = menu.resources.flatMap((resource) => resource.operations);
	const problem = operations
		.map(({ check }) => check?.problem({ message: 'Hello {name}' }))
		.find((text) => text !== undefined);
	if (problem === undefined) throw new Error('no operation checks its message');
	return problem;
}

/** What checks of fields say, by an example of each pattern. */
const CHECKS: [text: string, toDo: string][] = [
	[
		'To Number is empty (row 4); the item has "phone ", "name"',
		'The cell is empty, or the expression names a property that the item does not have. Choose one of those that are named.',
	],
	[
		number('0151 2345678'),
		"Correct the row. If all rows lack the code, enter it before the field, without a leading 0 of the number: `+49{{ String($json.phone).replace(/^0/, '') }}`. If only the `+` is missing, enter `+{{ $json.phone }}`.",
	],
	[number('+4915112345678.0'), 'Format the column of the spreadsheet as text.'],
	[number('+49 151 12345678, +49 30 123456'), 'Put each number into a row of its own.'],
	[number('+49 (0)151 12345678'), 'Delete the zero in brackets.'],
	[number("'+4915112345678"), 'Delete the character that is named.'],
	[saidOf('Assistant ID', uuid, '22'), 'Copy the whole ID from the dashboard of the service.'],
	[
		saidOf('Message', text, 'Hello [object Object]'),
		'The expression names a whole object. Name one of its properties.',
	],
	[
		saidOf('Message', text, 'Hello #N/A'),
		'Correct the formula in the spreadsheet, or leave this row out.',
	],
	[
		saidOf('Allowed Hours', allowedHours.schema, 'Mo-Fr 9-18'),
		'Write the hours as in the example.',
	],
	[
		`Not Again Within: ${BLANK}`,
		'Correct the expression: for this row, it finds no value. Or remove the rule or option.',
	],
	[
		`Timezone From Number: ${needsRule('allowedHours', contactRules)}`,
		'Add the rule that is named, or remove this one.',
	],
	[`Message: ${unfilledName()}`, 'Add an attribute with this name, or remove the braces.'],
	[DIFFERS, 'Choose a fixed mode, address, key and workspace in the credential.'],
	[
		NOT_REDIRECTED,
		'A bulk campaign reaches a whole spreadsheet. Try it with a sheet that has only your own number, in _Live_.',
	],
	[NESTED, 'Give each address a host, a port or a path of its own.'],
	[
		'"Not Again Within" needs the contact book: turn on "Contact Book" in the credential, or remove the rule',
		'[Set up the contact book](share-contacts.md), or remove the rule.',
	],
];

const checksTable = (): string =>
	table(
		['Text', 'What to do'],
		CHECKS.map((cells) => row(...cells)),
	);
