import type { Simulator } from '../simulator/contract';
import { until } from '../until';
import { numbers } from './world';

/** The number that a request calls or writes to. */
export const toNumberOf = ({ body }: { body: unknown }): string =>
	(body as { toNumber: string }).toNumber;

/** The nth of {@link numbers}. */
export const recipient = (index: number): string => numbers(index + 1)[index]?.to ?? '';

/** Tells the requests for the nth of {@link numbers}. */
export const isFor = (index: number) => (request: { body: unknown }) =>
	toNumberOf(request) === recipient(index);

export async function untilAsked({ requests }: Simulator, count: number): Promise<void> {
	await until(() => requests.length >= count);
}

/** Waits until the nth of {@link numbers} has got an answer. */
export async function untilAnswered({ requests }: Simulator, index: number): Promise<void> {
	await until(() => requests.find(isFor(index))?.status !== undefined);
}
