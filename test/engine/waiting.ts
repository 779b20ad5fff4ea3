import axios from 'axios';
import express, { type Request, type Response } from 'express';
import { WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
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

const NODE_ID = 'node';

const node = new AssistantService();

interface Posted {
	readonly status: number;
	readonly data: unknown;
}

/** Executions that n8n keeps while they wait, and resumes: by a POST, or when their time is over. */
export interface WaitingExecutions {
	readonly waitingUrl: () => string;
	/** Begins an execution; resolves when it has ended or waits. */
	readonly begin: (setup: NodeSetup, token?: string) => Promise<Execution>;
	/** Retries an execution that has failed, by default as it was set up. */
	readonly retry: (failed: Execution, setup?: NodeSetup) => Promise<Execution>;
}

/** To be called once for each file of tests. */
export function useWaiting(): WaitingExecutions {
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
		const own = { ...setup, executionId, nodeId: setup.nodeId ?? NODE_ID, waitingUrl: url };
		const execution = new Execution(own, token);
		executions.set(executionId, execution);
		return execution;
	};
	return {
		waitingUrl: () => url,
		begin: async (setup, token = `token-${Math.random()}`) => {
			const execution = add(setup, token);
			await execution.go(dataFromStart(execution.setup, token));
			return execution;
		},
		retry: async (failed, setup = failed.setup) => {
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
		const { waitTill } = this.data;
		if (!waitTill) throw new Error('It does not wait');
		return waitTill;
	}

	get run(): IRun {
		if (this.result === undefined) throw new Error('It runs');
		return this.result.run;
	}

	private get data(): IRunExecutionData {
		return this.run.data;
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
		failed.data.resumeToken = failed.token;
		await this.follow(async () => await retryRun(failed.run, this.setup));
	}

	/** Waits until it has gone on and ended; gives what the node has put out. */
	async ended(): Promise<IDataObject[]> {
		await until(() => this.status !== 'waiting' && this.status !== 'running');
		return this.outputs;
	}

	async post(): Promise<Posted> {
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
		const { nodeId, mode = 'manual' } = this.setup;
		const refuse = (status: number, message: string): void => {
			response.status(status).json({ code: status, message });
		};
		const refusal = this.refusal();
		const foreign = this.foreignAnswers.shift();
		if (foreign) {
			response.status(foreign.status).send(foreign.body);
			return;
		}
		if (request.query.signature !== this.token) {
			refuse(401, 'Invalid token');
			return;
		}
		if (refusal !== undefined) {
			refuse(409, refusal);
			return;
		}
		if (request.params.suffix !== nodeId) {
			refuse(404, 'does not contain a waiting webhook');
			return;
		}
		const data = this.saved();
		const [entry] = data.executionData?.nodeExecutionStack ?? [];
		if (entry === undefined) throw new Error('Nothing waits');
		const { workflowData, webhookResponse } = await this.ask(
			data,
			entry.node,
			mode,
			request,
			response,
		);
		if (response.headersSent) return;
		if (workflowData !== undefined) {
			if (this.refusal() !== undefined) {
				refuse(500, 'The execution is resumed already');
				return;
			}
			this.resumed++;
			entry.data.main = workflowData;
			entry.metadata = { ...entry.metadata, forwardAllOutputs: true };
			void this.go(data);
		}
		response.json(webhookResponse);
	}

	private refusal(): string | undefined {
		if (this.status === 'running') return `The execution "${this.id}" is running already.`;
		if (this.status === 'error') return `The execution "${this.id}" has finished with error.`;
		return this.status === 'waiting'
			? undefined
			: `The execution "${this.id} has finished already.`;
	}

	private async ask(
		data: IRunExecutionData,
		own: INode,
		mode: WorkflowExecuteMode,
		httpRequest: Request,
		httpResponse: Response,
	): Promise<{
		readonly workflowData?: INodeExecutionData[][];
		readonly webhookResponse?: unknown;
	}> {
		const [webhookDescription] = node.description.webhooks ?? [];
		if (webhookDescription === undefined) throw new Error('The node has no webhook');
		const additionalData = createAdditionalData(
			{ assistantServiceApi: this.setup.credential },
			{ httpRequest, httpResponse, executionId: this.id },
		);
		const webhook = {
			...{ httpMethod: 'POST' as const, node: own.name, path: own.id, workflowId: 'test' },
			...{ webhookDescription, workflowExecuteAdditionalData: additionalData },
		};
		const workflow = createWorkflow(this.setup);
		const context = new WebhookContext(workflow, own, additionalData, mode, webhook, [], data);
		return await node.webhook.call(context);
	}

	/** What n8n has saved, read back: the waiting node is disabled, and its run is taken back. */
	private saved(): IRunExecutionData {
		const saved = JSON.parse(JSON.stringify(this.data)) as IRunExecutionData;
		const { executionData, resultData } = saved;
		for (const { node: waiting } of executionData?.nodeExecutionStack.slice(0, 1) ?? [])
			waiting.disabled = true;
		resultData.runData[resultData.lastNodeExecuted ?? '']?.pop();
		delete saved.waitTill;
		saved.resumeToken = this.token;
		return saved;
	}
}
