import { randomUUID } from 'node:crypto';
import type { Clock } from './clock';
import { CONVERSATIONS } from './seed';

/** Own choice: the fields of a message; S 2.3 shows none. */
interface Message {
	role: 'user' | 'assistant';
	content: string;
	createdAt: string;
}

/** S 2.3. */
export interface Conversation {
	_id: string;
	workspace: string;
	messages: Message[];
	attributes: Record<string, unknown>;
}

type Channel = 'chat' | 'sms' | 'msgapp';

/** A conversation, with its user and its channels. */
interface Thread {
	userIdentifier: string;
	channels: Set<Channel>;
	conversation: Conversation;
}

/** A conversation before it belongs to a workspace. */
export type StoredConversation = Omit<Conversation, 'workspace'>;

/** The conversations of a workspace, each of another user. */
export class Conversations {
	readonly #byUser = new Map<string, Thread>();

	constructor(
		private readonly workspace: string,
		private readonly clock: Clock,
	) {
		for (const [userIdentifier, stored] of Object.entries(CONVERSATIONS)) {
			this.#keep('chat', userIdentifier, structuredClone(stored));
		}
	}

	/** All of them, in the order in which they began. */
	threads(): Thread[] {
		return [...this.#byUser.values()];
	}

	find(conversationId: string): Conversation | undefined {
		return this.threads().find(({ conversation }) => conversation._id === conversationId)
			?.conversation;
	}

	ofUser(userIdentifier: string): Conversation | undefined {
		return this.#byUser.get(userIdentifier)?.conversation;
	}

	/**
	 * The conversation of a user, a new one if there is none.
	 * Own choice: SMS and msgapp conversations are kept under the recipient's number.
	 */
	open(channel: Channel, userIdentifier: string): Conversation {
		const thread =
			this.#byUser.get(userIdentifier) ??
			this.#keep(channel, userIdentifier, { _id: randomUUID(), messages: [], attributes: {} });
		thread.channels.add(channel);
		return thread.conversation;
	}

	#keep(channel: Channel, userIdentifier: string, stored: StoredConversation): Thread {
		const conversation = { ...stored, workspace: this.workspace };
		const thread = { userIdentifier, channels: new Set([channel]), conversation };
		this.#byUser.set(userIdentifier, thread);
		return thread;
	}

	add(
		conversation: Conversation,
		role: Message['role'],
		content: string,
		attributes?: Record<string, unknown>,
	): void {
		const createdAt = new Date(this.clock.now()).toISOString();
		conversation.messages.push({ role, content, createdAt });
		Object.assign(conversation.attributes, attributes);
	}

	/** The assistant writes to a person by SMS or msgapp. */
	sendTo(
		channel: Channel,
		toNumber: string,
		content: string,
		attributes?: Record<string, unknown>,
	): Conversation {
		const conversation = this.open(channel, toNumber);
		this.add(conversation, 'assistant', content, attributes);
		return conversation;
	}
}
