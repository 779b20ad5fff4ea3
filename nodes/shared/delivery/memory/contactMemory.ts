import { bareNumber } from '../../outreach/doNotContact';
import { HOUR } from '../../outreach/heldBack';
import type { ItemPlan } from '../../request/request';
import {
	latestTimeOf,
	FOLLOWING,
	lateMarks,
	MARKS_PER_CONTACT,
	markOf,
	markedContact,
	type MarkedContact,
} from './contactMarks';
import {
	beginContact,
	countContact,
	endContact,
	hasTooManyContacts,
	lastContact,
	pendingContact,
	takeVoided,
} from './contacts';
import type { MarkStore } from './crashMemory';
import { findStretch } from './stretch';
import { SurplusMarks } from './surplusMarks';

/** An item that is about to contact somebody. */
interface Claim extends MarkedContact {
	readonly index: number;
	/** When the item was sent, or else when the claim was made; in milliseconds since the epoch. */
	at: number;
	isKept: boolean;
	/** The marks that the claim has added. */
	readonly marks: string[];
}

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

	/** Resolves when another item has ended that is about to contact the same person; `undefined` if there is none. */
	pending(index: number): Promise<void> | undefined {
		return this.claims.has(index) ? undefined : pendingContact(this.personOf(index));
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
			this.claims.has(index) || this.pending(index) ? [] : [this.begin(index)],
		);
		try {
			const before = await this.add(claims.map((claim) => markOf(claim, 0)));
			const granted: Claim[] = [];
			const contacted: Claim[] = [];
			for (const claim of claims) {
				const isContacted = !this.isOurs(claim, 0, before) && !isOwn(claim.index);
				(isContacted ? contacted : granted).push(claim);
			}
			await this.keepOn(granted);
			for (const claim of granted) claim.isKept = true;
			await Promise.all(
				contacted.map(async (claim) => {
					await this.findContact(claim);
				}),
			);
			// The run may have been stopped in the meantime.
			for (const claim of granted) if (!this.isOpen(claim)) this.drop(claim);
			if (this.isOver()) await this.surplus.remove();
			return true;
		} catch {
			for (const claim of claims) this.drop(claim);
			return false;
		}
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
		const claim: Claim = { ...contact, index, at, isKept: false, marks: [] };
		this.claims.set(index, claim);
		beginContact(person);
		return claim;
	}

	/** Adds the marks of the parts of time that follow. */
	private async keepOn(claims: readonly Claim[]): Promise<void> {
		const before = await this.add(
			claims.flatMap((claim) => FOLLOWING.map((later) => markOf(claim, later))),
		);
		for (const claim of claims) {
			for (const later of FOLLOWING) this.isOurs(claim, later, before);
		}
	}

	/** True if the claim has added the mark, or has taken it over from one that contacted nobody. */
	private isOurs(claim: Claim, later: number, before: ReadonlySet<string>): boolean {
		const mark = markOf(claim, later);
		const isOurs = !before.has(mark) || takeVoided(claim.person, mark);
		if (isOurs) claim.marks.push(mark);
		return isOurs;
	}

	/** Finds out how long an earlier contact counts, by halves: a mark that is asked for is there afterwards. */
	private async findContact(claim: Claim): Promise<void> {
		let [last, free] = [0, MARKS_PER_CONTACT];
		while (free - last > 1) {
			const middle = Math.floor((last + free) / 2);
			const before = await this.add([markOf(claim, middle)]);
			if (this.isOurs(claim, middle, before)) free = middle;
			else last = middle;
		}
		this.drop(claim, latestTimeOf(claim, last));
	}

	/**
	 * Ends a claim that contacted nobody. Its marks are removed when the run is closed.
	 *
	 * @param contactedAt when the person was contacted by another item, in milliseconds since the epoch
	 */
	private drop(claim: Claim, contactedAt?: number): void {
		const { index, person, marks } = claim;
		if (this.isOpen(claim)) this.claims.delete(index);
		this.surplus.add(person, marks);
		endContact(person, contactedAt);
	}

	private async add(marks: readonly string[]): Promise<ReadonlySet<string>> {
		const before = await this.store.add(marks);
		if (before === undefined) throw new Error('n8n cannot keep marks');
		return new Set(before);
	}

	private personOf(index: number): string {
		return `${this.node} ${bareNumber(this.plans[index]?.contact?.toNumber ?? '')}`;
	}
}
