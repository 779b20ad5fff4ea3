import { customAttributeFields } from '../../shared/declaration/attributes';
import { defineOperation, endpoint, type Resource } from '../../shared/declaration/operation';
import { identifierIn, pick } from '../answerParts';
import { marker } from '../../shared/answer/answerRules';
import { assistantId, fromNumber, message, NUMBER_FORMAT, toNumber, USUAL_MISTAKE } from './fields';
import { messaging } from './toPerson';

const start = defineOperation({
	name: 'Start Conversation',
	value: 'start',
	action: 'Start an SMS conversation',
	description: 'Have an assistant send an SMS; the assistant then answers what comes back',
	specification: '4.5',
	request: endpoint('POST', '/v1/sms/startSMSThread/{assistantId}'),
	toolDescription: `Sends a real SMS to a person, and an AI assistant answers what comes back. Each use is another SMS. ${NUMBER_FORMAT}`,
	fields: [assistantId, fromNumber, toNumber, message, ...customAttributeFields(8)],
	...messaging,
	usualMistake: USUAL_MISTAKE,
	successMarkers: { msg: marker.filledText },
	simplify: (answer) => ({ ...pick('msg')(answer), messageId: identifierIn(answer.msg) }),
});

/** Outbound SMS conversations (S 4.5). */
export const sms: Resource = {
	name: 'SMS',
	value: 'sms',
	operations: [start],
	defaultOperation: start,
};
