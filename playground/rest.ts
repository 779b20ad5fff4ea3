import type { AxiosInstance } from 'axios';
import { parse as unflatten } from 'flatted';
import type { ICredentialDataDecryptedObject, IRunExecutionData } from 'n8n-workflow';
import { eventually } from './eventually';
import { hasEnded, UNFINISHED } from './executions';
import type {
	ExecutionSummary,
	Owner,
	SavedCredential,
	SavedExecution,
	SavedWorkflow,
	WorkflowDraft,
} from './restTypes';
import { signIn } from './signIn';

const PAGE = 100;

interface SavedKey {
	id: string;
	label: string;
}

/** n8n's own REST API, as the editor uses it. */
export class N8nClient {
	private constructor(
		readonly baseUrl: string,
		private readonly http: AxiosInstance,
	) {}

	/** Signs in, after making this person the owner when the n8n is new. */
	static async signIn(baseUrl: string, owner: Owner): Promise<N8nClient> {
		return new N8nClient(baseUrl, await signIn(baseUrl, owner));
	}

	/** Makes a credential, or gives the one of that type and name these values. */
	async saveCredential(
		type: string,
		name: string,
		data: ICredentialDataDecryptedObject,
	): Promise<SavedCredential> {
		const existing = await this.credential(type, name);
		return existing
			? await this.write('patch', `/credentials/${existing.id}`, { name, type, data })
			: await this.write('post', '/credentials', { name, type, data });
	}

	async credential(type: string, name: string): Promise<SavedCredential | undefined> {
		const all = await this.read<SavedCredential[]>('/credentials');
		return all.find((one) => one.type === type && one.name === name);
	}

	/** What was entered into a credential; n8n does not give its secrets. */
	async credentialData({ id }: SavedCredential): Promise<ICredentialDataDecryptedObject> {
		const { data } = await this.read<{ data: ICredentialDataDecryptedObject }>(
			`/credentials/${id}?includeData=true`,
		);
		return data;
	}

	/** What the button "Test" of the credential says. */
	async testCredential(
		{ id, name, type }: SavedCredential,
		data: ICredentialDataDecryptedObject,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		return await this.write('post', '/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	/**
	 * A new key to n8n's public API in place of the one of this name, since n8n shows a key only once. It has those of the
	 * scopes that this n8n knows, or all that there are if it knows none of them.
	 */
	async apiKey(scopes: readonly string[], label: string): Promise<string> {
		const saved = await this.read<SavedKey[] | { items: SavedKey[] }>('/api-keys');
		const keys = 'items' in saved ? saved.items : saved;
		const former = keys.filter((key) => key.label === label);
		for (const { id } of former) await this.http.delete(`/api-keys/${id}`);
		const all = await this.read<string[]>('/api-keys/scopes');
		const usable = scopes.filter((scope) => all.includes(scope));
		const wanted = { label, scopes: usable.length > 0 ? usable : all, expiresAt: null };
		return (await this.write<{ rawApiKey: string }>('post', '/api-keys', wanted)).rawApiKey;
	}

	/** The entries of a searchable list in a node's panel. */
	async searchList(request: object): Promise<unknown> {
		const url = '/dynamic-node-parameters/resource-locator-results';
		return (await this.write<{ results: unknown }>('post', url, request)).results;
	}

	/** A file that n8n serves to the editor. */
	async served<T>(path: string): Promise<T> {
		return (await this.http.get<T>(`${this.baseUrl}/${path}`)).data;
	}

	/** The workflows of this n8n, without their nodes. */
	async workflows(): Promise<SavedWorkflow[]> {
		return await this.read('/workflows');
	}

	async workflow(id: string): Promise<SavedWorkflow> {
		return await this.read(`/workflows/${id}`);
	}

	async createWorkflow(draft: WorkflowDraft): Promise<SavedWorkflow> {
		return await this.write('post', '/workflows', { settings: {}, active: false, ...draft });
	}

	/** Switches a workflow on, with its webhooks. */
	async activate({ id, versionId }: SavedWorkflow): Promise<void> {
		const publish = async () => {
			await this.write('post', `/workflows/${id}/activate`, { versionId });
		};
		await publish().catch(async (error: unknown) => {
			// The check of a node that is fine has thrown inside n8n 2.41 on a busy machine; n8n keeps the reason to itself.
			if (!String(error).includes('Error validating node parameters')) throw error;
			await publish();
		});
	}

	/** Switches a workflow off; n8n takes its webhooks away a moment later. */
	async deactivate(id: string): Promise<void> {
		await this.write('post', `/workflows/${id}/deactivate`, {});
	}

	/** Saves a workflow anew; an active one goes on as it was activated. */
	async updateWorkflow(id: string, changes: Partial<WorkflowDraft>): Promise<SavedWorkflow> {
		return await this.write('patch', `/workflows/${id}`, changes);
	}

	/** Whether the triggers of a workflow are at work, and why not. */
	async publication(
		id: string,
	): Promise<{ status: string; triggers: { errorMessage: string | null }[] }> {
		return await this.read(`/workflows/${id}/publication-status`);
	}

	/** Waits until an n8n serves a webhook: a moment after its workflow is active. */
	async waitForWebhook(path: string, baseUrl = this.baseUrl): Promise<void> {
		await eventually(`the webhook ${path}`, async () => {
			const preflight = await this.http.options(`${baseUrl}${path}`, {
				headers: { origin: this.baseUrl, 'access-control-request-method': 'POST' },
				validateStatus: () => true,
			});
			return preflight.status === 204 ? true : undefined;
		});
	}

	/** "Execute workflow" from this trigger; gives the execution when it is finished. */
	async run(workflowId: string, triggerName: string): Promise<SavedExecution> {
		return await this.finished(await this.start(workflowId, triggerName));
	}

	/** "Execute workflow" from this trigger; gives the id of the execution, which goes on. */
	async start(workflowId: string, triggerName: string): Promise<string> {
		return (await this.execute<{ executionId: string }>(workflowId, triggerName)).executionId;
	}

	/** "Execute workflow" from a webhook's trigger, which then waits for one event on its test URL. */
	async listen(workflowId: string, triggerName: string): Promise<void> {
		await this.execute(workflowId, triggerName);
	}

	async stop(executionId: string): Promise<void> {
		await this.write('post', `/executions/${executionId}/stop`, {});
	}

	/** "Retry" of a failed execution, with the workflow as it was or as it is saved now; waits for its end. */
	async retry(executionId: string, loadWorkflow = false): Promise<SavedExecution> {
		return await this.finished(await this.startRetry(executionId, loadWorkflow));
	}

	/** "Retry" of a failed execution; gives the id of the new one, which goes on. */
	async startRetry(executionId: string, loadWorkflow = false): Promise<string> {
		const url = `/executions/${executionId}/retry`;
		return (await this.write<{ id: string }>('post', url, { loadWorkflow })).id;
	}

	/**
	 * The executions of one workflow or of all, with any status or with one of these, newest first, without their data.
	 *
	 * n8n sorts them by their start and cuts its own next page off by the number, so that it leaves out those that
	 * started in another order. The next page is asked for by the start here, and holds the last ones again.
	 */
	async executions(workflowId?: string, status?: readonly string[]): Promise<ExecutionSummary[]> {
		const all = new Map<string, ExecutionSummary>();
		let startedBefore: string | undefined;
		for (;;) {
			const filter = encodeURIComponent(JSON.stringify({ workflowId, startedBefore, status }));
			const { results, nextCursor } = await this.read<{
				results: ExecutionSummary[];
				nextCursor?: string | null;
			}>(`/executions?limit=${PAGE}&filter=${filter}`);
			const known = all.size;
			for (const execution of results) all.set(execution.id, execution);
			// Older ones give no cursor: a page has to be enough there.
			if (nextCursor === undefined || nextCursor === null || all.size === known)
				return [...all.values()];
			startedBefore = results.at(-1)?.startedAt;
		}
	}

	/** The id of the newest execution of all; "0" when there is none. */
	async lastExecutionId(): Promise<string> {
		return (await this.executions())[0]?.id ?? '0';
	}

	async execution(id: string): Promise<SavedExecution> {
		const { data, ...summary } = await this.read<ExecutionSummary & { data: string }>(
			`/executions/${id}`,
		);
		return { ...summary, data: unflatten(data) as IRunExecutionData, raw: data };
	}

	async finished(id: string): Promise<SavedExecution> {
		return await eventually(`execution ${id} to end`, async () => {
			const execution = await this.execution(id);
			return hasEnded(execution) ? execution : undefined;
		});
	}

	/** Waits until no execution of a workflow is under way; gives all of them, newest first, without their data. */
	async allFinished(workflowId: string): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: UNFINISHED }));
		await eventually(`the executions of ${workflowId} to end`, async () => {
			const { results } = await this.read<{ results: ExecutionSummary[] }>(
				`/executions?limit=1&filter=${filter}`,
			);
			return results.length === 0 ? true : undefined;
		});
		return await this.executions(workflowId);
	}

	/** Waits until a workflow has this many ended executions after the given one, oldest first. */
	async finishedAfter(
		afterId: string,
		workflowId: string,
		count: number,
	): Promise<SavedExecution[]> {
		const summaries = await eventually(`${count} executions of ${workflowId}`, async () => {
			const found = await this.executions(workflowId);
			const ended = found.filter(
				({ id, status }) => Number(id) > Number(afterId) && !UNFINISHED.includes(status),
			);
			// Several may start in the same millisecond.
			ended.sort((one, other) => Number(one.id) - Number(other.id));
			return ended.length >= count ? ended : undefined;
		});
		return await Promise.all(summaries.map(async ({ id }) => await this.finished(id)));
	}

	private async execute<T>(workflowId: string, triggerName: string): Promise<T> {
		return await this.write('post', `/workflows/${workflowId}/run`, {
			triggerToStartFrom: { name: triggerName },
			// Older ones run what is sent, newer ones what is saved.
			workflowData: await this.workflow(workflowId),
		});
	}

	private async read<T>(url: string): Promise<T> {
		return (await this.http.get<{ data: T }>(url)).data.data;
	}

	private async write<T>(method: 'post' | 'patch', url: string, data?: object): Promise<T> {
		return (await this.http.request<{ data: T }>({ method, url, data })).data.data;
	}
}
