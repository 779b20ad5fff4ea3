/** An item that is about to contact somebody. */
export interface NodeClaim {
	readonly index: number;
	readonly person: string;
	/** For how long the person is not contacted again. */
	readonly hours: number;
	/** When the claim was made, in milliseconds since the epoch. */
	readonly madeAt: number;
	/** The marks of the contact. */
	readonly marks: readonly string[];
	/** Those that were added for this claim, or taken over from one that contacted nobody: no other contact has them. */
	readonly added: string[];
	/** Those that the store is asked to add. */
	readonly asked: readonly string[];
	/** When a request of the item was sent last in this try. */
	sentAt?: number;
	/** When another item or an earlier try contacted the person at the latest, in milliseconds since the epoch. */
	earlierAt?: number;
	/** True once n8n keeps the marks: the claim is made. */
	isKept: boolean;
}
