import axios, { type AxiosResponse } from 'axios';
import express, { type Express } from 'express';
import { WebhookContext } from 'n8n-core';
import {
	type ICredentialDataDecryptedObject,
	type INodeExecutionData,
	type INodeParameters,
	type Logger,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { AssistantServiceTrigger } from '../../nodes/AssistantServiceTrigger/AssistantServiceTrigger.node';
import { listen, type Listening } from '../loopback';
import { createAdditionalData, createNode, TRIGGER_TYPE, workflowOf } from './engine';
import { holdPauses } from './pauses';

export interface TriggerSetup {
	readonly parameters?: INodeParameters;
	/** `undefined` if the node has no credential; an error if n8n cannot read it. */
	readonly credential?: ICredentialDataDecryptedObject | Error;
	readonly mode?: WorkflowExecuteMode;
	readonly waitingUrl?: string;
	/** Whether n8n can start an execution, once it knows; it answers with an error if not. */
	readonly canStart?: () => boolean | Promise<boolean>;
}

/** The trigger behind a real HTTP server, in n8n's own webhook context. */
export type TriggerServer = Awaited<ReturnType<ReturnType<typeof useTriggers>>>;

const trigger = new AssistantServiceTrigger();

/** What starts a trigger; those that a test has started are stopped after it. */
export function useTriggers() {
	const running: Listening[] = [];
	holdPauses();
	afterEach(async () => {
		for (const { stop } of running.splice(0)) await stop();
	});
	return async (setup: TriggerSetup) => {
		/** The items of each execution that was started. */
		const executions: INodeExecutionData[][] = [];
		/** The warnings that the trigger has written to n8n's log. */
		const log: string[] = [];
		const server = await listen(createServer(createApp(setup, executions, log)));
		running.push(server);
		return { executions, log, post: postTo(server.baseUrl) };
	};
}

/** Runs the trigger for each request, and keeps the items of the executions that it starts. */
function createApp(
	setup: TriggerSetup,
	executions: INodeExecutionData[][],
	log: string[],
): Express {
	const {
		parameters = {},
		credential,
		mode = 'webhook',
		canStart = () => true,
		waitingUrl,
	} = setup;
	const node = createNode('Trigger', TRIGGER_TYPE, {
		typeVersion: 1.1,
		parameters,
		...(credential === undefined && { credentials: undefined }),
	});
	const workflow = workflowOf([node], { id: randomUUID(), active: true });
	const app = express();
	app.use(readBodyAsN8n);
	app.post('/webhook', async (request, response) => {
		const additionalData = createAdditionalData(credential, {
			...{ httpRequest: request, httpResponse: response },
			...(waitingUrl !== undefined && { webhookWaitingBaseUrl: waitingUrl }),
		});
		const [webhook] = trigger.description.webhooks ?? [];
		if (webhook === undefined) throw new Error('No trigger');
		const webhookData = {
			...{ httpMethod: 'POST' as const, node: node.name, path: 'webhook', workflowId: 'test' },
			...{ webhookDescription: webhook, workflowExecuteAdditionalData: additionalData },
		};
		const context = new WebhookContext(workflow, node, additionalData, mode, webhookData, [], null);
		Object.defineProperty(context, 'logger', { value: loggerInto(log) });
		const result = await trigger.webhook.call(context);
		if (result.noWebhookResponse === true) return;
		if (!(await canStart())) {
			response.status(500).json({ message: 'The execution could not be started' });
			return;
		}
		executions.push(...(result.workflowData ?? []));
		// n8n takes the description's answer first, and its own word if that is not set at all.
		const { responseData = 'firstEntryJson' } = webhook;
		// It looks whether there is an answer, and then takes it.
		const hasAnswer = responseData === '' && result.webhookResponse !== undefined;
		if (hasAnswer) response.json(result.webhookResponse);
		else response.send(responseData);
	});
	return app;
}

/** n8n's own logger is silent in tests. */
const loggerInto = (log: string[]): Pick<Logger, 'warn'> => ({
	warn: (text) => {
		log.push(text);
	},
});

/** Sends a delivery as the service would. */
const postTo =
	(baseUrl: string) =>
	async (
		body: unknown,
		request: { headers?: object; query?: string; signal?: AbortSignal } = {},
	): Promise<AxiosResponse<unknown>> =>
		await axios.post<unknown>(`${baseUrl}/webhook${request.query ?? ''}`, body, {
			headers: { 'content-type': 'application/json', ...request.headers },
			transformRequest: (data: unknown) => (typeof data === 'string' ? data : JSON.stringify(data)),
			validateStatus: () => true,
			signal: request.signal,
		});

/** What n8n takes by default, in bytes. */
const PAYLOAD_SIZE_MAX = 16 * 1024 * 1024;

/** The content types whose body n8n itself reads for a webhook node of a version above 1. */
const READ_BY_N8N = /^(application\/(json|x-www-form-urlencoded)|text\/plain|.*[/+]xml)$/;

/** What n8n does before a webhook node sees the request: body by content type, raw body kept. */
const readBodyAsN8n: express.RequestHandler = async (request, _, next) => {
	const rawBody = await buffer(request);
	const contentType = request.headers['content-type']?.split(';')[0];
	const isJson = contentType === 'application/json';
	const body: unknown = isJson ? JSON.parse(rawBody.toString()) : undefined;
	const readRawBody = async () => {
		if (rawBody.length > PAYLOAD_SIZE_MAX) {
			throw Object.assign(new Error('request entity too large'), { type: 'entity.too.large' });
		}
		await Promise.resolve(Object.assign(request, { rawBody }));
	};
	const isRead = READ_BY_N8N.test(contentType ?? '');
	Object.assign(request, { contentType, body, readRawBody, ...(isRead && { rawBody }) });
	next();
};
