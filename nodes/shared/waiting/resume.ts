import type { AnyContext } from '../book/bookTransport';
import { helperResponse, requestDefaults } from '../service/transport';
import { firstResult } from '../time/wait';
import { isObject, toPlainText } from '../values';
import type { Waiting } from './calls';

/** How often n8n is asked to resume an execution, in milliseconds. */
const ATTEMPTS = { within: 300_000, pause: 500, longest: 10_000 };

/** How long n8n may take for a request, in milliseconds: at its limit of executions it waits. */
const TIMEOUT = 300_000;

/** What is needed to resume an execution, of a run or a webhook. */
type ResumingContext = Pick<AnyContext, 'helpers' | 'logger'>;

/** What n8n says of an execution that waits for nothing any more. */
const WAITS_NO_MORE = /execution ".*(has finished|does not exist|does not contain a waiting)/;

/** What resumes executions now, by their address, until n8n answers; true if they go on. */
export const resumes = new Map<string, Promise<boolean>>();

/**
 * Resumes a waiting execution if it may go on. Never rejects.
 *
 * @param ownUrl an address beside which this n8n has those of its executions that wait
 * @param isOver whether the execution may go on. If nobody can say, it is for its node to decide
 */
export async function resumeIfOver(
	context: ResumingContext,
	ownUrl: string,
	waiting: Waiting,
	isOver: () => Promise<boolean>,
): Promise<void> {
	if (!isOfThisN8n(ownUrl, waiting.resumeUrl)) {
		context.logger.warn('The resumeUrl of a row in the contact book is no address of this n8n');
		return;
	}
	if (await isOver().catch(() => true)) await resume(context, waiting);
}

/** People can write any address into a row. */
function isOfThisN8n(ownUrl: string, resumeUrl: string): boolean {
	try {
		return new URL(resumeUrl).href.startsWith(new URL('.', ownUrl).href);
	} catch {
		return false;
	}
}

/**
 * Resumes a waiting execution, and tries again while it does not wait yet. That execution's node
 * decides whether it goes on. Never rejects; n8n's log says if it could not be resumed.
 */
export async function resume(context: ResumingContext, { resumeUrl }: Waiting): Promise<void> {
	// Several calls can end at once. One resume is enough if it worked, else the next one tries.
	while (resumes.has(resumeUrl)) if (await resumes.get(resumeUrl)) return;
	const resuming = tryToResume(context, resumeUrl);
	resumes.set(resumeUrl, resuming);
	await resuming;
	resumes.delete(resumeUrl);
}

/** @returns true if the execution goes on */
async function tryToResume(context: ResumingContext, resumeUrl: string): Promise<boolean> {
	let problem = '';
	const goesOn = await firstResult(async () => {
		const { status, said, isResumed } = await post(context, resumeUrl);
		const isOver = isResumed !== undefined || WAITS_NO_MORE.test(said);
		const isRefused = said !== '' && (status === 401 || status === 404);
		const answer = status === 0 ? said : `HTTP ${status}: ${said || 'not an answer of n8n'}`;
		problem = isOver ? '' : answer;
		return isOver || isRefused ? isResumed === true : undefined;
	}, ATTEMPTS);
	if (problem !== '')
		context.logger.warn(
			`An execution that waits for the end of calls could not be resumed (${problem}). If it still waits, send a POST request to the resumeUrl of its rows in the contact book: ${resumeUrl.replace(/\?.*/, '')}`,
		);
	return goesOn === true;
}

/** @returns `isResumed` if the waiting node has answered; an empty `said` if n8n has not */
async function post({ helpers }: ResumingContext, url: string) {
	try {
		const asked = { ...requestDefaults, method: 'POST', url, body: {}, timeout: TIMEOUT } as const;
		const { status, body } = helperResponse.parse(await helpers.httpRequest(asked));
		const answer = isObject(body) ? body : {};
		const said = toPlainText(answer.message ?? answer.error);
		const isOfNode = status === 200 && typeof answer.resumed === 'boolean';
		return { status, said, ...(isOfNode && { isResumed: answer.resumed === true }) };
	} catch (error) {
		return { status: 0, said: error instanceof Error ? error.message : 'no answer' };
	}
}
