import { CANCELED } from '../nodes/shared/output/outputItems';

/** A text as the code says it, with `…` for what differs; when it appears; and what to do, if the code says it elsewhere. */
type Said = readonly [text: string, when: string, toDo?: string];

const ADD_BY_HAND = 'Add a row with the number and `doNotContact` to the contact book.';
const OPTIONS_OF_TRIGGER = 'Correct the option of the trigger, then publish the workflow again.';
const RECOVER = '[Look it up, then go on](recover-a-run.md#the-outcome-is-unknown).';

/** What the nodes say beside the kinds of failures, by the headings of the page. */
export const SAID: Readonly<Record<string, readonly Said[]>> = {
	'Nothing was sent': [
		[
			'Not sent, because another retry of this execution is under way',
			'Two retries of one execution run at the same moment, or n8n ended in the middle of one.',
		],
		[
			'Not sent, because n8n could not look up what was sent before this retry',
			"In a retry, n8n's database did not answer.",
		],
		[
			'Not sent, because the rate limit of the service is reached',
			'The item waited for its turn longer than Max Wait allows.',
			'Try again at the time that the error names, or raise "Max Wait".',
		],
		[
			'Nothing was sent: this run has … items, and n8n can remember only … through a crash',
			'The list has more than 20,000 items, and they have no contact book.',
		],
		['Nothing was sent: this node needs n8n 2.15 or later', 'n8n is too old.'],
		[
			'Nothing was sent: with "Continue (Using Error Output)", n8n hides the result of this tool from the agent',
			'The node is a tool of an AI agent.',
		],
		[
			'Nothing was sent: as a tool, "Place and Wait" needs the node AI Agent from version 3, in n8n 2.35 or later',
			"The node is a tool of an MCP server, of an older agent or of n8n's own Agents.",
		],
		[
			'The chosen operation does not exist',
			'The resource or the operation comes from an expression.',
		],
		[
			"n8n's SSRF protection does not allow requests to this address",
			'The protection is on, and the service or the proxy has a private address.',
		],
		[
			'The proxy did not pass the request on to the service',
			'The proxy of n8n wants a password, or refuses the address.',
		],
	],
	'The run was stopped by hand': [
		[
			CANCELED,
			'Somebody has stopped the execution, or it timed out.',
			'[Look up who was called](recover-a-run.md#you-stopped-it-or-it-timed-out).',
		],
	],
	'Refused on the way': [
		[
			'Something other than the service refused the request',
			'A page came back, e.g. of a firewall, a proxy or another server.',
			'Read what the page says. Check "Base URL" in the credential, then ask the administrator of your network about firewalls and proxies.',
		],
		[
			'The request is too large',
			'Status 413: the service, or a proxy before it, takes no request of this size.',
		],
	],
	'Nobody can say whether it was sent': [
		[
			'An earlier try sent it, and no answer came',
			'The execution ended while the request was under way.',
			RECOVER,
		],
		[
			'n8n stopped before this item was done, or another try has sent it',
			'A retry after a crash of n8n, also for items whose turn was next; or a retry of an older try.',
			RECOVER,
		],
		[
			'The connection to the service broke before its answer came',
			'The network failed after the request was sent.',
			RECOVER,
		],
		[
			'…, and an earlier try may have sent it',
			'In a retry, the item fails for the reason at the beginning of the text.',
			`Correct this reason. ${RECOVER}`,
		],
		['The node failed while this item was sent', 'The node has a fault.'],
	],
	'The contact book': [
		[
			'Not sent. …',
			'The contact book cannot be read or written. One of the texts below follows.',
			'Do what that row says, then retry the execution.',
		],
		[
			'n8n does not accept the API key of the contact book, or its public API is off',
			'The key has expired, was deleted, or n8n has no public API.',
		],
		[
			'The API key of the contact book lacks the scope …, or its owner may not use the table',
			'The key was made without this scope, or for another project.',
		],
		['The contact book cannot be reached', 'n8n does not answer at its n8n URL.'],
		["This address does not answer like n8n's public API", 'The n8n URL leads elsewhere.'],
		[
			"This address does not answer like n8n's public API with Data Tables",
			'The n8n URL leads elsewhere, or n8n is older than 2.15.',
		],
		[
			'There is no Data Table "…" any more, or it was never made',
			'The table was renamed or removed.',
		],
		[
			'There is no Data Table with the ID "…"',
			'The credential is tested, and its Contact Book Table looks like an ID.',
		],
		[
			'There is no Data Table "…", and n8n has a contact book: …',
			'The credential is tested, and the name may be mistyped.',
		],
		['There are … Data Tables with the name "…"', 'Two projects have a table of this name.'],
		['The Data Table "…" lacks columns of a contact book', 'A column was removed or renamed.'],
		['The Data Tables of n8n are full…', "All Data Tables together have reached n8n's limit."],
		[
			'n8n limits the requests with the API key of the contact book',
			'An administrator has limited the API, and Max Wait was over before it was free.',
		],
		['n8n did not read or write the contact book (HTTP …)…', 'n8n answered with another error.'],
		[
			'The contact book has more than … rows to look up at once',
			'Over 100,000 rows have `doNotContact`, or belong to 50 numbers.',
		],
		[
			'Rows that were just added to the contact book are gone',
			'Something between n8n and its API answers from a cache, or a workflow deletes new rows.',
		],
		['The contact book cannot be used: …', 'Any other reason.'],
		[
			'Not sent, because an opt-out in the contact book cannot be read: …',
			'A row with `doNotContact` has a number that cannot be read, so nobody knows who has opted out.',
		],
	],
	'The test of the credential': [
		['The API key may not use this workspace', 'The service answers 403.'],
		['The service rejected the request', 'The service answers 400.'],
		[
			'This address does not answer like the service',
			'The answer is 404, and not that of the service.',
		],
		[
			'This address redirects to another one, and the key is not sent there',
			'The Base URL is not the final address.',
		],
	],
	'The list of paragraphs': [
		['The service has no knowledge base with this ID', 'You open the list of Paragraph.'],
	],
	'The trigger refuses an event': [
		['The secret of the webhook is missing or wrong.', 'Status 401.'],
		['The address of the sender is not on the IP allowlist.', 'Status 403.'],
		['Expected the properties of a call as a JSON object, nested at most … deep.', 'Status 400.'],
		['The secret cannot be checked now.', 'Status 503: n8n cannot read the credential.'],
		[
			'An earlier delivery of the event is still being handled.',
			'Status 503: the same event came twice within moments.',
		],
	],
	'The trigger cannot be published': [
		['IP Allowlist: …', 'An entry of the list cannot be read.', OPTIONS_OF_TRIGGER],
		[
			'… is empty',
			'An option that names a property of the event was added without a name.',
			OPTIONS_OF_TRIGGER,
		],
	],
	"The end of call … or the result of call … is not in the contact book (n8n's log)": [
		[
			'No row has this ID',
			'Five minutes after the event. Another software may have placed the call, or its row was deleted.',
		],
		[
			'Rows of several people have this ID',
			'The service gave two calls one ID, or somebody has edited a number.',
		],
		['Not within 30 seconds', "n8n's API does not answer, or limits the requests."],
	],
	"The opt-out of call … is not in the contact book (n8n's log)": [
		[
			'The contact of this call was not found',
			'The event has no ID of a call, no row of the contact book has it, or the trigger has no book.',
			ADD_BY_HAND,
		],
		[
			'The test number was called, in the mode "Redirect"',
			'Your own number would have been opted out.',
			'Nothing: your number stays callable. Add a row for the person, if they asked for it.',
		],
	],
};
