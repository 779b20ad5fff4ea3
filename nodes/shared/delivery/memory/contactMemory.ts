import { bareNumber } from '../../outreach/doNotContact';
import { HOUR } from '../../outreach/heldBack';
import type { ItemPlan } from '../../request/request';
import { findLastMark, markClaims, type Claim } from './contactClaim';
import { FOLLOWING, lateMarks, latestTimeOf, markedContact } from './contactMarks';
import {
	beginContact,
	countContact,
	endContact,
	hasTooManyContacts,
	isPending,
	lastContact,
} from './contacts';
import { ContactTurns } from './contactTurns';
import type { MarkStore } from './crashMemory';
import { findStretch } from './stretch';
import { SurplusMarks } from './surplusMarks';

/**
 * Remembers whom a node has contacted: in this process exactly, and in n8n's store of marks over restarts.
 *
 * After a restart, a contact counts up to an eighth longer (see {@link MarkedContact}). It is found by the hours that were set
 * when it was made; with others only in this process.
 *
 * Two executions of one process cannot contact the same person at the same moment; two processes (queue mode) can,
 * within the time that n8n takes to read and write its store.
 */
export class ContactMemory {
	private readonly claims = new Map<number, Claim>();

	/** The claims of a run take turns. */
	private turn: Promise<boolean> = Promise.resolve(true);

	private isClosed = false;

	private size: number | undefined;

	private readonly surplus: SurplusMarks;

	/** Marks of contacts that were made in a later part of time than they were claimed in. */
	private readonly late: string[] = [];

	private readonly turns = new ContactTurns();

	/**
	 * @param node names the node and the mode of its credential
	 * @param plans the items by place, with `undefined` for those that are not to be sent
	 */
	constructor(
		private readonly store: MarkStore,
		private readonly node: string,
		private readonly plans: readonly (ItemPlan | undefined)[],
	) {
		this.surplus = new SurplusMarks(store);
	}

	/** When the recipient was contacted, in milliseconds since the epoch, as far as this process knows. */
	lastContact(index: number): number | undefined {
		return lastContact(this.personOf(index));
	}

	/** True if another item is about to contact the same person. */
	isPending(index: number): boolean {
		return !this.claims.has(index) && isPending(this.personOf(index));
	}

	/**
	 * Resolves when the item that is about to contact the same person has ended, and those that wait for it for a longer
	 * time; or at {@link endWaits}. To be followed by {@link claim} or {@link settle}.
	 */
	async waitForTurn(index: number): Promise<void> {
		await this.turns.wait(index, this.personOf(index));
	}

	/** Ends all waits: nothing more is to start. */
	endWaits(): void {
		this.turns.end();
	}

	/** How many recipients are claimed at a time. */
	async stretch(): Promise<number> {
		this.size ??= await findStretch(this.plans.length, async () => await this.store.count());
		return this.size;
	}

	/** True if the recipient of the item is claimed, and n8n keeps that. */
	has(index: number): boolean {
		return this.claims.get(index)?.isKept === true;
	}

	/**
	 * Claims the recipients of items that are about to be sent, but those that another run is about to contact. Who turns
	 * out to have been contacted before is known to {@link lastContact} afterwards, and is not claimed.
	 *
	 * @param isOwn true for an item that this execution may have sent before: it is claimed all the same
	 * @returns false if n8n cannot keep marks, or the run is over; then nothing is claimed
	 */
	async claim(indexes: readonly number[], isOwn: (index: number) => boolean): Promise<boolean> {
		const claiming = this.turn.then(async () => await this.claimNow(indexes, isOwn));
		this.turn = claiming;
		return await claiming;
	}

	private async claimNow(
		indexes: readonly number[],
		isOwn: (index: number) => boolean,
	): Promise<boolean> {
		if (this.isOver()) return false;
		const claims = indexes.flatMap((index) =>
			this.claims.has(index) || this.isPending(index) ? [] : [this.begin(index)],
		);
		const mayBeHeld = ({ index }: Claim): boolean => !isOwn(index);
		try {
			const now = await markClaims(this.store, claims, [0]);
			const contacted = new Set(claims.filter((claim) => now.has(claim) && mayBeHeld(claim)));
			const others = claims.filter((claim) => !contacted.has(claim));
			const later = await markClaims(this.store, others, FOLLOWING);
			for (const claim of others) {
				const last = mayBeHeld(claim) ? later.get(claim) : undefined;
				// By the clock as it is now, that contact is still to come.
				if (last !== undefined) this.drop(claim, latestTimeOf(claim, last));
				// The run may have been stopped in the meantime.
				else if (!this.isOpen(claim)) this.drop(claim);
				else claim.isKept = true;
			}
			// At once, so that n8n is asked for all of them together.
			await Promise.allSettled(
				[...contacted].map(async (claim) => {
					this.drop(claim, latestTimeOf(claim, await findLastMark(this.store, claim)));
				}),
			);
		} catch {
			// What has no result has failed.
		}
		const failed = claims.filter(({ isKept, hasEnded }) => !isKept && !hasEnded);
		for (const claim of failed) this.drop(claim);
		if (this.isOver()) await this.surplus.remove();
		return failed.length === 0;
	}

	private isOver(): boolean {
		return this.isClosed;
	}

	private isOpen(claim: Claim): boolean {
		return this.claims.get(claim.index) === claim;
	}

	/** The item is sent now. */
	sending(index: number): void {
		const claim = this.claims.get(index);
		if (claim) claim.at = Date.now();
	}

	/** To be called with whether the item may have contacted its recipient. */
	settle(index: number, isContact: boolean): void {
		this.turns.passOn(index);
		const claim = this.claims.get(index);
		if (claim === undefined) return;
		this.claims.delete(index);
		if (!isContact) {
			// A claim that is still being made is dropped when its marks are known.
			if (claim.isKept) this.drop(claim);
			return;
		}
		this.late.push(...lateMarks(claim, claim.at));
		countContact(this.node, claim.at);
		endContact(claim.person, claim.at);
	}

	/** Gives up the claims of items that have not ended, so that other runs do not wait for them. */
	release(): void {
		this.isClosed = true;
		this.turns.end();
		for (const index of [...this.claims.keys()]) this.settle(index, false);
	}

	/** Brings n8n's store up to date. To be called when all items have ended. */
	async close(): Promise<void> {
		this.release();
		if (this.late.length > 0) await this.store.add(this.late);
		await this.surplus.remove();
	}

	/** True if more people were contacted in this time than would be known after a restart of n8n. */
	isFull(hours: number): boolean {
		return hasTooManyContacts(this.node, Date.now() - hours * HOUR);
	}

	private begin(index: number): Claim {
		const at = Date.now();
		const hours = this.plans[index]?.contact?.rules.notAgainWithin ?? 0;
		const person = this.personOf(index);
		const contact = markedContact(person, hours, at);
		const claim: Claim = { ...contact, index, at, isKept: false, hasEnded: false, marks: [] };
		this.claims.set(index, claim);
		this.turns.take(index);
		beginContact(person);
		return claim;
	}

	/**
	 * Ends a claim that contacted nobody. Its marks are removed when the run is closed.
	 *
	 * @param contactedAt when the person was contacted by another item, in milliseconds since the epoch
	 */
	private drop(claim: Claim, contactedAt?: number): void {
		if (claim.hasEnded) return;
		claim.hasEnded = true;
		const { index, person, marks } = claim;
		if (this.isOpen(claim)) this.claims.delete(index);
		this.surplus.add(person, marks);
		endContact(person, contactedAt);
	}

	private personOf(index: number): string {
		return `${this.node} ${bareNumber(this.plans[index]?.contact?.toNumber ?? '')}`;
	}
}
