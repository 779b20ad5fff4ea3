import { customAttributeFields } from '../../shared/declaration/attributes';
import { inBody, inPath, optionalField } from '../../shared/declaration/field';
import {
	assistantId,
	fromNumber,
	NUMBER_FORMAT,
	toNumber,
	USUAL_MISTAKE_OF_NUMBERS,
} from '../../shared/declaration/fields';
import { defineOperation, type Resource } from '../../shared/declaration/operation';
import { pick } from '../../shared/answer/output';
import { marker } from '../../shared/answer/answerRules';
import { priority } from '../../shared/declaration/schemas';
import { contactRules } from '../../shared/outreach/contactRules';

const callPriority = optionalField({
	property: {
		displayName: 'Priority',
		name: 'priority',
		type: 'options',
		options: [
			{ name: 'Low', value: 0 },
			{ name: 'Medium', value: 1 },
			{ name: 'High', value: 2 },
		],
		default: 1,
		description:
			'Which calls are placed first when the concurrent call limit is reached and calls are queued',
	},
	schema: priority,
});

/** S 2.6 */
const isQueued = (status: unknown): boolean =>
	marker.callStatus.safeParse(status).data === 'queued';

const place = defineOperation({
	name: 'Place',
	value: 'place',
	action: 'Place a phone call',
	description:
		'Have an assistant call a phone number. The result of the call comes later, by the Assistant Service Trigger.',
	specification: '4.4',
	request: { method: 'POST', url: '/v1/voice/placeoutboundcall/{workspaceId}/{assistantId}' },
	toolDescription: `Places a real phone call: an AI assistant calls this number and talks to the person who answers. Each use is another call. The answer says whether the call was placed or queued, not what was said. ${NUMBER_FORMAT}`,
	fields: [
		inPath(assistantId),
		inBody(fromNumber),
		inBody(toNumber),
		inBody(callPriority),
		...customAttributeFields(8),
	],
	recipient: 'toNumber',
	rules: contactRules,
	repeatable: false,
	done: ({ status }) => (isQueued(status) ? 'queued' : 'placed'),
	reaches: 'called',
	usualMistake: USUAL_MISTAKE_OF_NUMBERS,
	successMarkers: { callId: marker.filledText, status: marker.callStatus },
	simplify: pick('callId', 'msg'),
});

/** Outbound phone calls (S 4.4). */
export const call: Resource = {
	name: 'Call',
	value: 'call',
	operations: [place],
	defaultOperation: place,
};
