import axios, { type AxiosRequestConfig } from 'axios';
import type { Seen } from '../../playground/page/beside';
import type { Row } from '../../playground/page/row';
import { startPage } from '../../playground/page/server';
import { useSimulator } from '../engine/world';
import { clientOf, type ClientRequest } from '../simulator/testClient';
import { useEach } from '../useEach';

/** Only this path is a workflow's. */
export const END_OF_CALL = '/end-of-call';
const workflowAt = async (url: string): Promise<string | undefined> =>
	await Promise.resolve(url.endsWith(END_OF_CALL) ? 'End of call' : undefined);
const OWNER = { email: 'owner@playground.example', password: 'Playground1' };

type View = Record<'headline' | 'facts', string> &
	Record<'calls' | 'contacts' | 'lists' | 'requests', Row[]>;

/** A service and its page, for each test of a file. */
export function usePage() {
	const simulator = useSimulator();
	let seen: Seen | undefined;
	let days = 0;
	const passDay = async () => {
		days++;
		await Promise.resolve();
	};
	const look = async () => await (seen ? Promise.resolve(seen) : Promise.reject(new Error('away')));
	const page = useEach(async () => {
		seen = undefined;
		const n8n = { url: 'http://localhost:5678', ...OWNER, workflowAt, look, passDay };
		return await startPage(simulator(), n8n);
	});
	const url = () => page().url.replace('localhost', '127.0.0.1');
	/** Any answer is one. */
	const request = async (path: string, config?: AxiosRequestConfig) =>
		await axios.request<unknown>({
			...{ url: url() + path, proxy: false, validateStatus: () => true },
			...config,
		});
	return {
		simulator,
		url,
		/** From now on n8n says this of the contact book. */
		hasSeen: (now: Partial<Seen>) =>
			(seen = { newest: [], count: 0, waits: [], ofLists: [], ...now }),
		days: () => days,
		request,
		/** As n8n does. */
		send: async (what: ClientRequest) => await clientOf(simulator())(what),
		/** What a person does; rejects if the page refuses. */
		act: async (name: string, fields: Record<string, string> = {}): Promise<string> => {
			const { status, data } = await request(`/actions/${name}`, { method: 'POST', data: fields });
			const { message, error } = data as { message?: string; error?: string };
			if (status !== 200 || message === undefined) throw new Error(`${status}: ${error ?? ''}`);
			return message;
		},
		view: async () => (await request('/view')).data as View,
	};
}
