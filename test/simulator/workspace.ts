import type { CallQueue } from './callQueue';
import type { Clock } from './clock';
import { Conversations } from './conversations';
import { Refusal, type ErrorKind } from './errors';
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

/** S 2.5, and the numbers linked to the assistant. */
interface Assistant {
	id: string;
	locked: boolean;
	prompt: string;
	numbers: Set<string>;
}

/** S 2.4; paragraph texts by key. */
interface KnowledgeBase {
	label: string;
	paragraphs: Map<string, string>;
}

const digitsOf = (phoneNumber: string): string => phoneNumber.replace('+', '');

/** Everything that the service knows of a workspace. */
export class Workspace {
	readonly conversations: Conversations;
	/** Campaign ids by assistant, campaign type and contact. */
	readonly singleCampaigns = new Map<string, string>();
	hasSenderNumber = true;

	readonly #assistants = new Map<string, Assistant>([
		[
			ASSISTANT_ID,
			{
				id: ASSISTANT_ID,
				locked: false,
				prompt: PROMPT,
				numbers: new Set([digitsOf(FROM_NUMBER)]),
			},
		],
	]);
	readonly #knowledgeBases = new Map<string, KnowledgeBase>([
		[
			KNOWLEDGE_BASE_ID,
			{
				label: KNOWLEDGE_BASE.label,
				paragraphs: new Map(Object.entries(KNOWLEDGE_BASE.paragraphs)),
			},
		],
	]);
	/** When a customer last wrote, by the digits of the number. */
	readonly #lastReplies = new Map<string, number>();
	#planUse = 0;

	constructor(
		private readonly id: string,
		private readonly planLimit: number,
		private readonly clock: Clock,
		readonly calls: CallQueue,
	) {
		this.conversations = new Conversations(id, clock);
		this.customerReplies(CUSTOMER_NUMBER);
	}

	/** Own choice: another workspace than the key's is a resource that the key is not allowed for (S 5.2, S 5.5). */
	checkAccess(workspaceId: string): void {
		if (workspaceId.toLowerCase() !== this.id.toLowerCase()) throw new Refusal('forbidden');
	}

	/** Own choice: an assistant that does not exist is an invalid input, except where S 7.2 says not found. */
	assistant(
		workspaceId: string,
		assistantId: string,
		ifUnknown: ErrorKind = 'invalidInput',
	): Assistant {
		this.checkAccess(workspaceId);
		const assistant = this.#assistants.get(assistantId.toLowerCase());
		if (!assistant) throw new Refusal(ifUnknown);
		return assistant;
	}

	/** S 4.4 and S 4.5: the number is linked to the assistant. Own choice: so it is for campaigns. */
	checkSender(assistant: Assistant, fromNumber: string): void {
		if (!assistant.numbers.has(digitsOf(fromNumber))) {
			throw new Refusal('invalidInput', 'fromNumber: not linked to the assistant');
		}
	}

	/** S 4.6: the name of an approved template. Own choice: an unknown one is an invalid input everywhere. */
	checkTemplate(name: string, language: string): void {
		if (!TEMPLATES.some((known) => known.name === name && known.language === language)) {
			throw new Refusal('invalidInput', `no approved template ${name} in ${language}`);
		}
	}

	/** Own choice: an unknown knowledge base is a bad request, except where S 7.2 says it does not exist. */
	knowledgeBase(
		workspaceId: string,
		knowledgeBaseId: string,
		ifUnknown: ErrorKind = 'invalidInput',
	): KnowledgeBase {
		this.checkAccess(workspaceId);
		const knowledgeBase = this.#knowledgeBases.get(knowledgeBaseId.toLowerCase());
		if (!knowledgeBase) throw new Refusal(ifUnknown);
		return knowledgeBase;
	}

	/** Own choice: a number with and without its plus sign is the same customer. */
	customerReplies(toNumber: string): void {
		this.#lastReplies.set(digitsOf(toNumber), this.clock.now());
	}

	/** S 3 rule 2, S 8.3. */
	checkCustomerWindow(toNumber: string): void {
		const lastReply = this.#lastReplies.get(digitsOf(toNumber));
		if (lastReply === undefined) throw new Refusal('windowNotOpen');
		if (this.clock.now() - lastReply > CUSTOMER_WINDOW_MS) throw new Refusal('windowClosed');
	}

	/** S 8.6. */
	checkPlan(): void {
		if (this.#planUse >= this.planLimit) throw new Refusal('upgradeNeeded');
	}

	countPlanUse(): void {
		this.#planUse += 1;
	}
}
