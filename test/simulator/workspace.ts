import type { Calls } from './calls';
import type { Clock } from './clock';
import { Conversations } from './conversations';
import { Refusal, type ErrorKind } from './errors';
import { digitsOf } from './recipient';
import {
	ASSISTANT_ID,
	CUSTOMER_NUMBER,
	FROM_NUMBER,
	KNOWLEDGE_BASE,
	KNOWLEDGE_BASE_ID,
	PROMPT,
	TEMPLATES,
} from './seed';

const CUSTOMER_WINDOW_MS = 24 * 60 * 60 * 1000;

/** What the service knows of a workspace, in the order in which it came. */
export type ServiceState = ReturnType<Workspace['state']>;

const isSameId = (id: string, asked: string): boolean => asked.toLowerCase() === id.toLowerCase();

/** Everything that the service knows of a workspace, which has one assistant and one knowledge base. */
export class Workspace {
	readonly conversations: Conversations;

	/** S 2.5. */
	readonly #assistant = { id: ASSISTANT_ID, locked: false, prompt: PROMPT };
	/** S 2.4; paragraph texts by key. */
	readonly #knowledgeBase = {
		id: KNOWLEDGE_BASE_ID,
		label: KNOWLEDGE_BASE.label,
		paragraphs: new Map(Object.entries(KNOWLEDGE_BASE.paragraphs)),
	};
	/** When a customer last wrote, by the digits of the number. */
	readonly #lastReplies = new Map<string, number>();

	constructor(
		private readonly id: string,
		private readonly clock: Clock,
		readonly calls: Calls,
	) {
		this.conversations = new Conversations(id, clock);
		this.customerReplies(CUSTOMER_NUMBER);
	}

	/** Own choice: another workspace than the key's is a resource that the key is not allowed for (S 5.2, S 5.5). */
	checkAccess(workspaceId: string): void {
		if (!isSameId(this.id, workspaceId)) throw new Refusal('forbidden');
	}

	/** Own choice: an assistant that does not exist is an invalid input, except where S 7.2 says not found. */
	assistant(workspaceId: string, assistantId: string, ifUnknown: ErrorKind = 'invalidInput') {
		this.checkAccess(workspaceId);
		if (!isSameId(this.#assistant.id, assistantId)) throw new Refusal(ifUnknown);
		return this.#assistant;
	}

	/** S 4.4 and S 4.5: the number is linked to the assistant. Own choice: so it is for campaigns. */
	checkSender(workspaceId: string, assistantId: string, fromNumber: string): void {
		this.assistant(workspaceId, assistantId);
		if (digitsOf(fromNumber) !== digitsOf(FROM_NUMBER)) {
			throw new Refusal('invalidInput', 'fromNumber: not linked to the assistant');
		}
	}

	/** S 4.6: the name of an approved template. Own choice: an unknown one is an invalid input everywhere. */
	checkTemplate(name: string, language: string): void {
		if (!TEMPLATES.some((template) => template.name === name && template.language === language)) {
			throw new Refusal('invalidInput', `no approved template ${name} in ${language}`);
		}
	}

	/** Own choice: an unknown knowledge base is a bad request, except where S 7.2 says it does not exist. */
	knowledgeBase(
		workspaceId: string,
		knowledgeBaseId: string,
		ifUnknown: ErrorKind = 'invalidInput',
	) {
		this.checkAccess(workspaceId);
		if (!isSameId(this.#knowledgeBase.id, knowledgeBaseId)) throw new Refusal(ifUnknown);
		return this.#knowledgeBase;
	}

	/** Own choice: a number with and without its plus sign is the same customer. */
	customerReplies(toNumber: string, message?: string): void {
		this.#lastReplies.set(digitsOf(toNumber), this.clock.now());
		if (message === undefined) return;
		this.conversations.add(this.conversations.open('msgapp', toNumber), 'user', message);
	}

	/** When the customer window closes, or has closed; undefined if it was never open. In ms since the epoch. */
	windowClosesAt(toNumber: string): number | undefined {
		const lastReply = this.#lastReplies.get(digitsOf(toNumber));
		return lastReply === undefined ? undefined : lastReply + CUSTOMER_WINDOW_MS;
	}

	/** S 3 rule 2, S 8.3. */
	checkCustomerWindow(toNumber: string): void {
		const closesAt = this.windowClosesAt(toNumber);
		if (closesAt === undefined) throw new Refusal('windowNotOpen');
		if (this.clock.now() > closesAt) throw new Refusal('windowClosed');
	}

	/** What there is now; the rows are the service's own, to be read only. */
	state() {
		return {
			calls: this.calls.all,
			threads: this.conversations.threads().map((thread) => ({
				...thread,
				/** Undefined if the customer window was never open. */
				windowClosesAt: this.windowClosesAt(thread.userIdentifier),
			})),
			assistants: [this.#assistant],
			knowledgeBases: [this.#knowledgeBase],
		};
	}
}
