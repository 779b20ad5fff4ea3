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
export interface Thread {
	userIdentifier: string;
	channels: Set<Channel>;
	conversation: Conversation;
}

/** A conversation before it belongs to a workspace. */
export type StoredConversation = Omit<Conversation, 'workspace'>;

/** The conversations of a workspace, by conversation id and by user identifier. */
export class Conversations {
	readonly #byId = new Map<string, Conversation>();
	readonly #byUser = new Map<string, Thread>();

	constructor(
		private readonly workspaceId: string,
		private readonly clock: Clock,
	) {
		for (const [userIdentifier, stored] of Object.entries(CONVERSATIONS)) {
			this.#keep('chat', userIdentifier, structuredClone(stored));
		}
	}

	find(conversationId: string): Conversation | undefined {
		return this.#byId.get(conversationId);
	}

	ofUser(userIdentifier: string): Conversation | undefined {
		return this.#byUser.get(userIdentifier)?.conversation;
	}

	/**
	 * The conversation of a user, a new one if there is none.
	 * Own choice: SMS and msgapp conversations are kept under the recipient's number.
	 */
	open(channel: Channel, userIdentifier: string): Conversation {
		const known = this.#byUser.get(userIdentifier);
		known?.channels.add(channel);
		const created = { _id: randomUUID(), messages: [], attributes: {} };
		return known?.conversation ?? this.#keep(channel, userIdentifier, created);
	}

	/** All of them, in the order in which they began. */
	threads(): Thread[] {
		return [...this.#byUser.values()];
	}

	#keep(channel: Channel, userIdentifier: string, stored: StoredConversation): Conversation {
		const conversation = { ...stored, workspace: this.workspaceId };
		this.#byId.set(conversation._id, conversation);
		this.#byUser.set(userIdentifier, {
			userIdentifier,
			channels: new Set([channel]),
			conversation,
		});
		return conversation;
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
