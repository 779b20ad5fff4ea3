import { sleep, type IDataObject } from 'n8n-workflow';

import type { Answer } from '../../../nodes/shared/answer/answer';
import type { ApiSend } from '../../../nodes/shared/book/tableApi';
import type { Deduplication } from '../../../nodes/shared/delivery/markWriter';
import type * as deliverModule from '../../../nodes/shared/delivery/deliver';
import type * as gateModule from '../../../nodes/shared/gate/gate';
import type * as openModule from '../../../nodes/shared/delivery/openMemory';
import { mayHaveBeenSent, type Outcome } from '../../../nodes/shared/delivery/outcome';
import type * as rulesModule from '../../../nodes/shared/rules/rules';
import type { ServiceRequest } from '../../../nodes/shared/service/serviceRequest';
import { TABLE } from '../../contactBook/bookFields';
import { inOtherProcess } from '../../otherProcess';
import type { BookTable } from '../book/bookTable';
import { BOOK_FIELDS, hostOf, node as sampleNode, operationOf, planOrProblems } from '../samples';
import { answerOf, type Says } from './results';
import { copyOf } from './runs';
import { SeenByNode } from './seenByNode';

/** A row of a list: the same person may come more than once. */
export interface Row {
	readonly toNumber: string;
	readonly assistantId?: string;
}

/** A run of a node in an execution: a node runs once for each round of a loop. */
export interface Stage {
	readonly node: string;
	readonly run: number;
	readonly rows: readonly Row[];
	/** True if the items that the run before has put out as failed come again, after the rows. */
	readonly takesBack?: boolean;
}

/** Where a retry begins: at a stage with what n8n has saved, or, if n8n died, at the beginning with nothing. */
export interface Point {
	readonly stage: number;
	readonly saved: Readonly<Record<string, IDataObject>>;
	readonly givenBack?: readonly Row[];
}

/** What becomes of a request. Of one that is `lost`, nobody can say whether the service acted. */
export type Fate = 'accepted' | 'refused' | 'lost' | 'busy' | 'unreachable';

/** n8n's database, and the service. They outlive a process. */
export interface Outside {
	readonly rows: Map<string, string[]>;
	isBroken: boolean;
	/** True if it does a call, and says that it failed. */
	readonly losesAnswer?: () => boolean;
	/** In milliseconds. */
	readonly latency: () => number;
	/** What becomes of a request of a node to this number. */
	readonly send: (node: string, toNumber: string) => Fate;
	/** How long the service takes, in milliseconds. */
	readonly serviceTime: () => number;
	/** The contact book, if there is one, and how long n8n's API takes before and after it acts, in milliseconds. */
	readonly book?: Pick<BookTable, 'ask'> & { readonly latency: number; readonly key: string };
	readonly contactRules?: object;
}

/** A process of n8n, with a memory of its own. Once it is dead, nothing that it has begun goes on. */
export class Process {
	private readonly modules = inOtherProcess(() => ({
		...jest.requireActual<typeof deliverModule>('../../../nodes/shared/delivery/deliver'),
		...jest.requireActual<typeof openModule>('../../../nodes/shared/delivery/openMemory'),
		...jest.requireActual<typeof rulesModule>('../../../nodes/shared/rules/rules'),
		...jest.requireActual<typeof gateModule>('../../../nodes/shared/gate/gate'),
	}));

	private deaths = 0;

	die(): void {
		this.deaths++;
	}

	/**
	 * Does work that began when the process had died so often: nothing if it has died since, and the result never comes
	 * if it dies in the meantime.
	 */
	private async living<T>(deaths: number, work: () => Promise<T>): Promise<T> {
		const endIfDead = async (): Promise<void> => {
			if (this.deaths !== deaths) await new Promise<never>(() => undefined);
		};
		await endIfDead();
		const result = await work();
		await endIfDead();
		return result;
	}

	async runNode(
		outside: Outside,
		{ node, run, rows }: Stage,
		execution: ExecutionSetup,
		saved: IDataObject,
	): Promise<Outcome[]> {
		const { deaths } = this;
		const { deliver, openMemory, Gate, Rules } = this.modules;
		const { executionId, isRetry, token, ...more } = execution;
		const { book, contactRules = {} } = outside;
		const items = rows.map((row, index) => ({
			...planOrProblems('call.place', { ...row, contactRules }, BOOK_FIELDS),
			index,
		}));
		const rules = new Rules('UTC', 'call.place', items);
		const halt = new AbortController();
		const { signal } = halt;
		const host = hostOf({
			node: { ...sampleNode, id: node },
			...{ executionId, isRetry, runIndex: String(run), retryToken: token },
		});
		const { memory, notes } = await this.living(
			deaths,
			async () =>
				await openMemory({
					...{ host, saved, deduplication: this.deduplicationOf(outside, node) },
					operation: operationOf('call.place'),
					operationName: 'call.place',
					mode: { kind: 'live' },
					...(book && { book: { ...ACCESS, apiKey: book.key, send: this.askBook(book) } }),
					...{ items, rules, signal },
				}),
		);
		const delivering = async () =>
			await deliver({
				...more,
				...{ memory, rules },
				transport: async (request) =>
					await this.living(deaths, async () => await ask(outside, node, request)),
				gate: new Gate(),
				requestsPerSecond: 0,
				halt,
				signal,
			});
		// Or the execution would go on with its next node.
		const results = await this.living(deaths, delivering);
		const isStopped = more.stopOnFailure && results.some(isFailure);
		if (!isStopped) notes.clear();
		return results;
	}

	private deduplicationOf(outside: Outside, node: string): Deduplication {
		const { deaths } = this;
		const seen = new SeenByNode(node);
		seen.call = async (work) =>
			await this.living(deaths, async () => {
				const before = outside.rows.get(node) ?? [];
				await sleep(outside.latency());
				if (outside.isBroken) throw new Error('no database');
				const [row, answer] = work(before);
				if (this.deaths === deaths) outside.rows.set(node, row);
				if (outside.losesAnswer?.() === true) throw new Error('no answer');
				return answer;
			});
		return seen.deduplication;
	}

	private askBook(book: NonNullable<Outside['book']>): ApiSend {
		const { deaths } = this;
		return async (request) =>
			await this.living(deaths, async () => {
				await sleep(book.latency);
				const answer = await book.ask(request);
				await sleep(book.latency);
				return answer;
			});
	}
}

const ACCESS = { api: 'http://n8n/api/v1', table: TABLE };

interface ExecutionSetup {
	readonly executionId: string;
	readonly isRetry: boolean;
	/** An execution shares it with its retries. */
	readonly token: string;
	readonly stopOnFailure: boolean;
	readonly maxConcurrentRequests: number;
}

/** What came of an execution: the results of the stages that ran, and where a retry begins, if it failed. */
export interface Ended {
	readonly results: readonly Outcome[];
	readonly failedAt?: Point;
}

/** Runs the stages from a point on, as n8n does: it saves what the nodes remember when one of them fails. */
export async function execute(
	process: Process,
	outside: Outside,
	stages: readonly Stage[],
	from: Point,
	setup: ExecutionSetup,
): Promise<Ended> {
	const contexts: Record<string, IDataObject> = copyOf(from.saved);
	const all: Outcome[] = [];
	let givenBack: readonly Row[] = from.givenBack ?? [];
	for (const [index, one] of stages.entries()) {
		if (index < from.stage) continue;
		const stage = one.takesBack === true ? { ...one, rows: [...one.rows, ...givenBack] } : one;
		const saved = copyOf((contexts[stage.node] ??= {}));
		contexts[stage.node] = saved;
		const results = await process.runNode(outside, stage, setup, saved);
		expect([...results].map(Boolean)).toEqual(stage.rows.map(() => true));
		all.push(...results);
		if (setup.stopOnFailure && results.some(isFailure))
			return { results: all, failedAt: { stage: index, saved: copyOf(contexts), givenBack } };
		givenBack = stage.rows.filter((_, place) => isCertainlyNot(results[place]));
	}
	return { results: all };
}

const isFailure = ({ kind }: Outcome): boolean => kind === 'failed';

/** A loop sends again what the service has certainly not taken. */
const isCertainlyNot = (result: Outcome | undefined): boolean =>
	result !== undefined && isFailure(result) && !mayHaveBeenSent(result);

const REPLIES: Readonly<Record<Fate, Says>> = {
	accepted: { says: 'accepted' },
	refused: { says: 400 },
	lost: { says: 'nothing' },
	busy: { says: 429, retryAfter: 1 },
	unreachable: { says: 'unreachable' },
};

async function ask(outside: Outside, node: string, request: ServiceRequest): Promise<Answer> {
	const fate = outside.send(node, String(request.body?.toNumber));
	await sleep(outside.serviceTime());
	return answerOf(request.operation, REPLIES[fate]);
}
