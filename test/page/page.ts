import axios, { type AxiosRequestConfig } from 'axios';
import { startPage, type Page } from '../../playground/page/server';
import type { Simulator, SimulatorOptions } from '../simulator/simulator';
import { useSimulator } from '../engine/world';

interface Served {
	simulator: () => Simulator;
	url: () => string;
	/** Any answer is one. */
	request: (
		path: string,
		config?: AxiosRequestConfig,
	) => Promise<{ status: number; data: unknown; headers: Record<string, unknown> }>;
	/** What a person does; rejects if the page refuses. */
	act: (name: string, fields?: Record<string, string>) => Promise<string>;
	/** What the page shows. */
	view: () => Promise<Record<string, unknown>>;
}

/** A service and its page for each test of a file. */
export function usePage(options?: SimulatorOptions): Served {
	const simulator = useSimulator(options);
	let page: Page | undefined;
	beforeEach(async () => {
		page = await startPage(simulator(), {
			url: 'http://localhost:5678',
			email: 'owner@playground.example',
			password: 'Playground1',
		});
	});
	afterEach(async () => {
		await page?.stop();
	});
	const url = () => (page?.url ?? '').replace('localhost', '127.0.0.1');
	const request: Served['request'] = async (path, config) => {
		const { status, data, headers } = await axios.request<unknown>({
			url: url() + path,
			proxy: false,
			validateStatus: () => true,
			...config,
		});
		return { status, data, headers };
	};
	return {
		simulator,
		url,
		request,
		act: async (name, fields = {}) => {
			const { status, data } = await request(`/actions/${name}`, { method: 'POST', data: fields });
			const { message, error } = data as { message?: string; error?: string };
			if (status !== 200 || message === undefined) throw new Error(`${status}: ${error ?? ''}`);
			return message;
		},
		view: async () => (await request('/view')).data as Record<string, unknown>,
	};
}
