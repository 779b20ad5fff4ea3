import { customAttributeFields } from '../../shared/declaration/attributes';
import { defineField, hoursField, optionalField } from '../../shared/declaration/field';
import {
	defineOperation,
	endpoint,
	type Declaration,
	type Resource,
} from '../../shared/declaration/operation';
import { pick } from '../answerParts';
import { marker } from '../../shared/answer/answerRules';
import { priority } from '../../shared/declaration/schemas';
import { callRules } from '../../shared/rules/contactRules';
import { NOT_ENDED, USUAL_WAIT } from '../../shared/waiting/calls';
import { assistantId, fromNumber, NUMBER_FORMAT, toNumber, USUAL_MISTAKE } from './fields';
import { toPerson } from './toPerson';

const callPriority = optionalField(
	defineField({
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
			'Which calls are placed first when the concurrent call limit of the service is reached',
		sentAs: 'priority',
		schema: priority,
	}),
);

const simplify = pick('callId', 'msg');

const placing: Declaration = {
	name: 'Place',
	value: 'place',
	action: 'Place a phone call',
	description:
		'Have an assistant call a phone number. The result of the call comes later, by the Assistant Service Trigger.',
	specification: '4.4',
	request: endpoint('POST', '/v1/voice/placeoutboundcall/{workspaceId}/{assistantId}'),
	toolDescription: `Places a real phone call: an AI assistant calls this number and talks to the person who answers. Each use is another call. The answer says whether the call was placed or queued, not what was said. ${NUMBER_FORMAT}`,
	fields: [assistantId, fromNumber, toNumber, callPriority, ...customAttributeFields(8)],
	...toPerson,
	rules: callRules,
	done: ({ status }) => marker.callStatus.safeParse(status).data ?? 'placed',
	reaches: 'called',
	usualMistake: USUAL_MISTAKE,
	successMarkers: { callId: marker.filledText, status: marker.callStatus },
	simplify,
};

const place = defineOperation(placing);

const waitAtMost = hoursField(30 * 24, {
	displayName: 'Wait at Most',
	name: 'waitAtMost',
	default: USUAL_WAIT,
	description:
		'How many hours to wait for the calls to end. The execution then goes on without the missing results. The value of the first item counts.',
});

const placeAndWait = defineOperation({
	...placing,
	name: 'Place and Wait',
	value: 'placeAndWait',
	action: 'Place a phone call and wait for its end',
	description:
		'Have an assistant call a phone number, and go on with the summary when all calls have ended. Needs the contact book and a published Assistant Service Trigger.',
	toolDescription: `Places a real phone call and waits until it has ended. An AI assistant calls this number and talks to the person who answers. Each use is another call. The answer has the summary of the call; "ended": false means that its end is not known yet. ${NUMBER_FORMAT}`,
	fields: [...placing.fields, waitAtMost],
	// Each input item has an output item: n8n pairs them by their places after a wait.
	rules: callRules.filter(({ property }) => property.name !== 'heldBackItems'),
	waits: true,
	simplify: (answer) => ({ ...simplify(answer), ...NOT_ENDED }),
});

/** Outbound phone calls (S 4.4). */
export const call: Resource = {
	name: 'Call',
	value: 'call',
	operations: [place, placeAndWait],
	defaultOperation: place,
};
