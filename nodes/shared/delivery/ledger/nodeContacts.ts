import type { Failure } from '../../answer/failure';
import { notAgainWithin, plansOf, type Planned } from '../../request/planned';
import type { ItemPlan } from '../../request/request';
import { joinTexts } from '../../values';
import { failed, mayHaveBeenSent, type RunResult } from '../result';
import { notLookedUp, stopped } from '../waitFailures';
import {
	describeFromStore,
	describeHeldBack,
	SINCE_RESTART,
	TOO_MANY_CONTACTS,
} from './contactNotices';
import type { ClaimRound, ContactShelf } from './contactShelf';
import type { MarkStore } from './markStore';
import { createClaim, marksBeyond, marksLacking, readStore, type NodeClaim } from './nodeClaim';
import * as people from './people';
import { isWithinRule, longestRule, type History } from './rules';
import { seenInBook } from './seenInBook';
import { Waits } from './waits';

/**
 * Remembers whom a node has contacted: in this process exactly, and in n8n's store of marks over restarts.
 *
 * After a restart, a contact counts up to an eighth longer (see {@link contactMarks}). It is found by the hours that were set
 * when it was made; with others only in this process.
 *
 * Two executions of one process cannot contact the same person at the same moment; two processes (queue mode) can,
 * within the time that n8n takes to read and write its store.
 */
export class NodeContacts implements ContactShelf {
	/** True if an item is to remember whom it contacts. */
	readonly isUsed: boolean;

	readonly readsFirst = false;

	readonly openIn: ReadonlySet<string> = new Set();

	private readonly plans: readonly (ItemPlan | undefined)[];

	/** By the index of the item. */
	private readonly claims = new Map<number, NodeClaim>();

	private readonly waits = new Waits();

	/** The people with marks in the store that stand for no contact; see {@link people.voidMarks}. */
	private readonly surplus = new Set<string>();

	/** The marks to add at the end for contacts that were made in a later part of time than their claims. */
	private readonly late: string[] = [];

	/** Whom this run has contacted, and when: it counts for an item of an earlier try, too. */
	private readonly contacted = new Map<string, number>();

	/** The items that are held back by what the node has seen in the contact book, or else by contacts that only n8n's store knows. */
	private readonly heldBackByBook = new Set<number>();
	private readonly heldBackByStore = new Set<number>();

	private onlyLooks = false;

	private isClosed = false;

	/**
	 * @param node names the node and the mode of its credential
	 * @param planned the items by index
	 */
	constructor(
		private readonly store: MarkStore,
		private readonly node: string,
		planned: readonly Planned[],
	) {
		this.plans = plansOf(planned);
		this.isUsed = planned.some((_, index) => this.hoursOf(index) > 0);
	}

	/** What this process knows; see {@link ContactShelf.history}. */
	history(index: number, isOfEarlierTry: boolean): History {
		const person = this.personOf(index);
		const { at, isOptedOut } = seenInBook(person);
		const last = people.lastContact(person);
		const holdsBack = (contactedAt: number | undefined): boolean =>
			!isOfEarlierTry && isWithinRule(this.plans[index], contactedAt);
		if (holdsBack(at) || isOptedOut === true) this.heldBackByBook.add(index);
		else if (people.isFromStore(person) && holdsBack(last)) this.heldBackByStore.add(index);
		const contacts = isOfEarlierTry ? [this.contacted.get(person)] : [last, at];
		return {
			contacts: contacts.filter((one) => one !== undefined).sort((one, other) => other - one),
			isOptedOut,
		};
	}

	refusal(): undefined {
		return undefined;
	}

	needsClaim(index: number): boolean {
		return this.hoursOf(index) > 0 && this.claims.get(index)?.isKept !== true;
	}

	isPending(index: number): boolean {
		return !this.claims.has(index) && people.isPending(this.personOf(index));
	}

	async waitForTurn(index: number): Promise<void> {
		await this.waits.forPerson(this.personOf(index));
	}

	endWaits(): void {
		this.waits.end();
	}

	/** Looks up nothing: asking n8n's store for marks adds them, so a run that only checks goes by what this process knows. */
	async look(): Promise<void> {
		this.onlyLooks = true;
		await Promise.resolve();
	}

	begin(indexes: readonly number[]): ClaimRound {
		const claims = this.beginClaims(indexes);
		return {
			asked: claims.flatMap(({ asked }) => asked),
			finish: async (before, { isOfEarlierTry }) =>
				await this.finishClaims(claims, before, isOfEarlierTry),
		};
	}

	notLookedUp(): Failure {
		return notLookedUp();
	}

	revokeIfStale(): boolean {
		return false;
	}

	earlierTry(): undefined {
		return undefined;
	}

	sending(index: number): void {
		const claim = this.claims.get(index);
		if (claim) claim.sentAt = Date.now();
	}

	settle(index: number, result: RunResult, given: RunResult): void {
		const claim = this.claims.get(index);
		if (claim === undefined) {
			// If the item has waited for its turn, the next one gets it.
			if (this.hoursOf(index) > 0) people.wakeNext(this.personOf(index));
			return;
		}
		this.claims.delete(index);
		// Else the claim is still being made; finishClaims drops it.
		if (claim.isKept) this.end(claim, mayHaveBeenSent(result), mayHaveBeenSent(given));
	}

	/** Gives up the claims of items that have not ended, and brings n8n's store up to date. */
	async close(): Promise<void> {
		this.isClosed = true;
		this.endWaits();
		const over = failed(stopped());
		for (const index of [...this.claims.keys()]) this.settle(index, over, over);
		if (this.late.length > 0) await this.store.add(this.late.splice(0));
		await this.removeSurplus();
	}

	describeLimits(): string {
		const since = Date.now() - longestRule(this.plans);
		return joinTexts([
			this.onlyLooks ? SINCE_RESTART : '',
			people.hasTooManyContacts(this.node, since) ? TOO_MANY_CONTACTS : '',
			describeFromStore(this.heldBackByStore.size),
			describeHeldBack(this.heldBackByBook.size, 'what this node has met in the contact book'),
		]);
	}

	private beginClaims(indexes: readonly number[]): NodeClaim[] {
		const now = Date.now();
		return indexes.flatMap((index) => {
			if (this.isClosed || this.claims.has(index) || this.isPending(index)) return [];
			const claim = createClaim(index, this.personOf(index), this.hoursOf(index), now);
			this.claims.set(index, claim);
			people.beginContact(claim.person);
			return [claim];
		});
	}

	/** See {@link ClaimRound.finish}. */
	private async finishClaims(
		claims: readonly NodeClaim[],
		before: ReadonlySet<string> | undefined,
		isOfEarlierTry: (index: number) => boolean,
	): Promise<boolean> {
		let isAnyKnown = false;
		for (const claim of claims) {
			const found = readStore(claim, before);
			const isFree = found === 'none' || (found === 'contact' && isOfEarlierTry(claim.index));
			isAnyKnown ||= found === 'contact' && !isFree;
			// The run may have been stopped in the meantime.
			if (isFree && this.claims.get(claim.index) === claim) claim.isKept = true;
			else this.drop(claim);
		}
		// Asking has added marks of people who were contacted before. They are removed at once: n8n cuts off others for them.
		if (isAnyKnown || this.isClosed) await this.removeSurplus();
		return before !== undefined && !this.isClosed;
	}

	/**
	 * @param isInDoubt true if this try or an earlier one of the item may have contacted the person
	 * @param isContact true if this try may have
	 */
	private end(claim: NodeClaim, isInDoubt: boolean, isContact: boolean): void {
		const { person, madeAt, sentAt } = claim;
		if (isContact && sentAt !== undefined) {
			this.late.push(...marksLacking(claim, sentAt));
			this.contacted.set(person, sentAt);
			people.countContact(this.node, sentAt);
			people.endContact(person, sentAt);
			return;
		}
		// Of an earlier try without marks, nobody knows when it was.
		if (isInDoubt) claim.earlierAt ??= madeAt;
		this.drop(claim);
	}

	/** Ends a claim that contacted nobody. */
	private drop(claim: NodeClaim): void {
		const { index, person, earlierAt, isFromStore } = claim;
		if (this.claims.get(index) === claim) this.claims.delete(index);
		const last = Math.max(earlierAt ?? 0, people.lastContact(person) ?? 0);
		// The marks stand for no contact: they are removed when the run is closed.
		people.voidMarks(person, marksBeyond(claim, last));
		this.surplus.add(person);
		people.endContact(person, earlierAt, isFromStore);
	}

	/**
	 * Removes the marks from n8n's store that stand for no contact, unless a later claim has taken them over. If a claim of the
	 * person is under way, the marks are left to its run, which removes them if it contacts nobody either.
	 */
	private async removeSurplus(): Promise<void> {
		const surplus = [...this.surplus].flatMap(people.takeAllVoided);
		this.surplus.clear();
		if (surplus.length > 0) await this.store.remove(surplus);
	}

	private hoursOf(index: number): number {
		return notAgainWithin(this.plans[index]);
	}

	private personOf(index: number): string {
		return people.nameOfPerson(this.node, this.plans[index]);
	}
}
