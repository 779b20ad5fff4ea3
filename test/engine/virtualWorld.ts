import * as requestHelpers from 'n8n-core/dist/execution-engine/node-execution-context/utils/request-helper-functions';

import type { AssistantService } from '../../nodes/AssistantService/AssistantService.node';
import { addNodeType } from './engine';

/** What becomes of a request; of one that is `lost`, the service acted and its answer never came. */
export type Fate = 'accepted' | 'refused' | 'lost';

/** A request as the service has it. */
export interface VirtualRequest {
	readonly toNumber: string;
	readonly fate: Fate;
	readonly begin: number;
	end: number;
}

/** A service that answers by the clock of the tests. */
export class VirtualService {
	readonly requests: VirtualRequest[] = [];

	/** What becomes of the next request, and after how many milliseconds. */
	next: () => { fate: Fate; after: number } = () => ({ fate: 'accepted', after: 1 });

	/** Called when the service has acted. */
	onContact: () => void = () => undefined;

	async answer(toNumber: string) {
		const { fate, after } = this.next();
		const request = { toNumber, fate, begin: Date.now(), end: Infinity };
		this.requests.push(request);
		if (fate !== 'refused') this.onContact();
		await new Promise((resolve) => setTimeout(resolve, after));
		request.end = Date.now();
		if (fate === 'lost') throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
		return fate === 'refused'
			? { statusCode: 400, headers: {}, body: { message: 'No such number' } }
			: { statusCode: 201, headers: {}, body: { callId: 'c-1', status: 'placed', msg: '' } };
	}
}

/** Each test has a clock of its own, and a service that goes by it. */
export function useVirtualService(): () => VirtualService {
	let service = new VirtualService();
	beforeEach(() => {
		service = new VirtualService();
		// What happens is the same each time.
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
		jest.useFakeTimers({
			now: Date.parse('2026-03-02T10:10:00Z'),
			doNotFake: ['nextTick', 'queueMicrotask'],
		});
		jest.spyOn(requestHelpers, 'getRequestHelperFunctions').mockReturnValue({
			httpRequestWithAuthentication: async (_: string, { body }: { body: { toNumber: string } }) =>
				await service.answer(body.toNumber),
		} as never);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		jest.useRealTimers();
	});
	return () => service;
}

/** Lets time pass until the work has ended. */
export async function passing<T>(work: Promise<T>): Promise<T> {
	const state = { isOver: false };
	const end = (): void => {
		state.isOver = true;
	};
	work.then(end, end);
	while (!state.isOver) await jest.advanceTimersByTimeAsync(100);
	return await work;
}

let processes = 0;

/** Loads the node as another process of n8n does, which knows only what n8n has kept. Gives the name of its type. */
export function startProcess(): string {
	const name = `test.process${++processes}`;
	const workflow = jest.requireActual<object>('n8n-workflow');
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => workflow);
		const node = jest.requireActual<{ AssistantService: typeof AssistantService }>(
			'../../nodes/AssistantService/AssistantService.node',
		);
		addNodeType(name, new node.AssistantService());
	});
	jest.dontMock('n8n-workflow');
	return name;
}
