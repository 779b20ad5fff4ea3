import axios from 'axios';
import express, { type Request, type Response } from 'express';
import { WebhookContext } from 'n8n-core';
import type { IDataObject, IRun, IRunExecutionData } from 'n8n-workflow';
import { createServer } from 'node:http';

import { AssistantService } from '../../nodes/AssistantService/AssistantService.node';
import { listen, type Listening } from '../loopback';
import { until } from '../until';
import {
	createAdditionalData,
	createWorkflow,
	dataFromStart,
	newExecutionId,
	retryRun,
	startNode,
	type NodeRun,
	type NodeSetup,
} from './engine';

const node = new AssistantService();

/** Executions that n8n keeps while they wait, and resumes: by a POST, or when their time is over. To be called once for each file. */
export function useWaiting() {
	const executions = new Map<string, Execution>();
	let server: Listening | undefined;
	let url = '';
	beforeEach(async () => {
		const app = express();
		app.post('/webhook-waiting/:id/:suffix', async (request, response) => {
			const { id } = request.params;
			const execution = executions.get(id);
			if (execution) await execution.receive(request, response);
			else response.status(404).json({ message: `The execution "${id}" does not exist.` });
		});
		server = await listen(createServer(app));
		url = `${server.baseUrl}/webhook-waiting`;
	});
	afterEach(async () => {
		await server?.stop();
		executions.clear();
	});
	const add = (setup: NodeSetup, token: string): Execution => {
		const executionId = newExecutionId();
		const execution = new Execution({ ...setup, executionId, waitingUrl: url }, token);
		executions.set(executionId, execution);
		return execution;
	};
	return {
		waitingUrl: () => url,
		/** Begins an execution; resolves when it has ended or waits. */
		begin: async (setup: NodeSetup, token = `token-${Math.random()}`): Promise<Execution> => {
			const execution = add(setup, token);
			await execution.go(dataFromStart(execution.setup, token));
			return execution;
		},
		/** Retries an execution that has failed, by default as it was set up. */
		retry: async (failed: Execution, setup = failed.setup): Promise<Execution> => {
			const execution = add({ ...setup, mode: 'retry' }, failed.token);
			await execution.retry(failed);
			return execution;
		},
	};
}

/** An execution as n8n 2.41 keeps it in its database. */
export class Execution {
	status = 'running';

	result: NodeRun | undefined;

	/** How often it was resumed by a POST that went on. */
	resumed = 0;

	/** What something else than n8n answers to the next POSTs. */
	foreignAnswers: { readonly status: number; readonly body: unknown }[] = [];

	constructor(
		readonly setup: NodeSetup,
		readonly token: string,
	) {}

	get id(): string {
		return this.setup.executionId ?? '';
	}

	get resumeUrl(): string {
		const { nodeId = '', waitingUrl = '' } = this.setup;
		return `${waitingUrl}/${this.id}/${encodeURIComponent(nodeId)}?signature=${this.token}`;
	}

	/** What the node has put out, by the last run. */
	get outputs(): IDataObject[] {
		return (this.result?.items ?? []).map(({ json }) => json);
	}

	get waitTill(): Date {
		const { waitTill } = this.run.data;
		if (!waitTill) throw new Error('It does not wait');
		return waitTill;
	}

	get run(): IRun {
		if (this.result === undefined) throw new Error('It runs');
		return this.result.run;
	}

	/** Runs it from what n8n has saved. */
	async go(data: IRunExecutionData): Promise<void> {
		await this.follow(async () => await startNode(this.setup, data).finished);
	}

	private async follow(running: () => Promise<NodeRun>): Promise<void> {
		this.status = 'running';
		this.result = await running();
		this.status = this.result.run.status;
	}

	/** Goes on where another execution has failed. */
	async retry(failed: Execution): Promise<void> {
		failed.run.data.resumeToken = failed.token;
		await this.follow(async () => await retryRun(failed.run, this.setup));
	}

	/** Waits until it has gone on and ended; gives what the node has put out. */
	async ended(): Promise<IDataObject[]> {
		await until(() => this.status !== 'waiting' && this.status !== 'running');
		return this.outputs;
	}

	async post() {
		const { status, data } = await axios.post<unknown>(
			this.resumeUrl,
			{},
			{ validateStatus: () => true },
		);
		return { status, data };
	}

	/** Goes on as n8n does when its own limit is over. */
	async expire(): Promise<IDataObject[]> {
		await this.go(this.saved());
		return this.outputs;
	}

	/** What n8n does with a POST to the resume address. */
	async receive(request: Request, response: Response): Promise<void> {
		const refuse = (code: number, message: string): void => {
			response.status(code).json({ code, message });
		};
		const foreign = this.foreignAnswers.shift();
		if (foreign) response.status(foreign.status).send(foreign.body);
		else if (request.query.signature !== this.token) refuse(401, 'Invalid token');
		else if (this.status === 'running') refuse(409, 'The execution is running already.');
		else if (this.status !== 'waiting') refuse(409, 'The execution has finished already.');
		else if (request.params.suffix !== this.setup.nodeId)
			refuse(404, 'does not contain a waiting webhook');
		else await this.resume(request, response, refuse);
	}

	private async resume(
		httpRequest: Request,
		httpResponse: Response,
		refuse: (code: number, message: string) => void,
	): Promise<void> {
		const data = this.saved();
		const [entry] = data.executionData?.nodeExecutionStack ?? [];
		const [webhookDescription] = node.description.webhooks ?? [];
		if (entry === undefined || webhookDescription === undefined) throw new Error('Nothing waits');
		const additionalData = createAdditionalData(this.setup.credential, {
			httpRequest,
			httpResponse,
			executionId: this.id,
		});
		const { node: own } = entry;
		const webhook = {
			...{ httpMethod: 'POST' as const, node: own.name, path: own.id, workflowId: 'test' },
			...{ webhookDescription, workflowExecuteAdditionalData: additionalData },
		};
		const workflow = createWorkflow(this.setup);
		const { mode = 'manual' } = this.setup;
		const context = new WebhookContext(workflow, own, additionalData, mode, webhook, [], data);
		const answer = await node.webhook.call(context);
		const { workflowData } = answer;
		if (httpResponse.headersSent) return;
		if (workflowData !== undefined) {
			if (this.status !== 'waiting') {
				refuse(500, 'The execution is resumed already');
				return;
			}
			this.resumed++;
			entry.data.main = workflowData;
			entry.metadata = { ...entry.metadata, forwardAllOutputs: true };
			void this.go(data);
		}
		httpResponse.json(answer.webhookResponse);
	}

	/** What n8n has saved, read back: the waiting node is disabled, and its run is taken back. */
	private saved(): IRunExecutionData {
		const saved = JSON.parse(JSON.stringify(this.run.data)) as IRunExecutionData;
		const { executionData, resultData } = saved;
		for (const { node: waiting } of executionData?.nodeExecutionStack.slice(0, 1) ?? [])
			waiting.disabled = true;
		resultData.runData[resultData.lastNodeExecuted ?? '']?.pop();
		delete saved.waitTill;
		saved.resumeToken = this.token;
		return saved;
	}
}
