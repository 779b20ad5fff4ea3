import { assistant } from './assistant';
import { call } from './call';
import { campaign } from './campaign';
import { chat } from './chat';
import { knowledgeBase } from './knowledgeBase';
import { msgapp } from './msgapp';
import { sms } from './sms';

/** Every resource of the service, in the order of the menu. The default one never changes. */
export const menu = {
	resources: [assistant, call, campaign, chat, knowledgeBase, msgapp, sms],
	defaultResource: call,
};
