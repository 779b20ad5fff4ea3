import { Calls, type Call } from './calls';
import { Clock } from './clock';
import type { SimulatorOptions, WebhookDelivery, WebhookTarget } from './contract';
import type { EndpointName } from './endpoints';
import * as seed from './seed';
import { Server } from './server';
import { serve } from './service';
import { Timers } from './timers';
import { Webhooks } from './webhooks';
import { Workspace } from './workspace';

export type { Fault, RecordedRequest, Simulator, WebhookDelivery } from './contract';

/** Starts a simulated service on a loopback port. */
export async function startSimulator(options: SimulatorOptions = {}) {
	const { port = 0, apiKey = seed.API_KEY } = options;
	let { callDurationMs } = options;
	const keys = { valid: apiKey, forbidden: seed.FORBIDDEN_API_KEY };
	const clock = new Clock();
	const callTimers = new Timers();
	const webhooks = new Webhooks();

	let workspace = createWorkspace();
	const server = new Server((request, match) => serve(request, match, keys, workspace));

	function createWorkspace(): Workspace {
		const calls = new Calls(clock, (call) => {
			if (callDurationMs === undefined) return;
			callTimers.after(callDurationMs, () => void hangUp(call.id));
		});
		return new Workspace(seed.WORKSPACE_ID, clock, calls);
	}

	/** Undefined when no such call is going on. */
	function hangUp(
		callId: string,
		properties: Record<string, unknown> = {},
	): Promise<WebhookDelivery[]> | undefined {
		const call = workspace.calls.end(callId);
		if (!call) return undefined;
		call.event = { ...endOfCall(call), ...properties };
		return webhooks.deliver(call.event);
	}

	const { baseUrl, stop } = await server.listen(port);
	return {
		/** Ends in the API prefix and is followed by /v1/... */
		baseUrl: `${baseUrl}${seed.API_PREFIX}`,
		apiKey,
		/** A valid key that is not allowed for the resource (S 5.5). */
		forbiddenApiKey: seed.FORBIDDEN_API_KEY,
		workspaceId: seed.WORKSPACE_ID,
		assistantId: seed.ASSISTANT_ID,
		knowledgeBaseId: seed.KNOWLEDGE_BASE_ID,
		/** A number linked to the seeded assistant. */
		fromNumber: seed.FROM_NUMBER,
		templates: seed.TEMPLATES,
		/** Every request that arrived, in order of arrival, refused ones included. */
		requests: server.requests,
		clock,
		deliveries: webhooks.deliveries,
		/** Where the end-of-call webhook is sent. */
		get webhooks(): readonly WebhookTarget[] {
			return webhooks.targets;
		},
		setWebhooks(targets: WebhookTarget[]): void {
			webhooks.targets = targets;
		},
		get faults() {
			return server.faults.active();
		},
		addFault: server.faults.add.bind(server.faults),
		/** Nothing happens when there is none of this ID. */
		removeFault: server.faults.remove.bind(server.faults),
		setTraffic: server.setTraffic.bind(server),
		/** What the service knows now. */
		state: () => workspace.state(),
		/** Calls that start from now on end by themselves after this time, or only by `endCall`. */
		setCallDuration(ms: number | undefined): void {
			callDurationMs = ms;
		},
		/** A msgapp customer writes, which opens the customer window at clock.now() (S 3, rule 2); without a text, no message is kept. */
		customerReplies(toNumber: string, message?: string): void {
			workspace.customerReplies(toNumber, message);
		},
		/** Ends a call and sends the webhook; rejects when no such call is going on. */
		async endCall(callId: string, properties?: Record<string, unknown>) {
			const deliveries = await hangUp(callId, properties);
			if (!deliveries) throw new Error(`No call ${callId} is going on`);
			return deliveries;
		},
		/** Sends any end-of-call body, for example one again. */
		deliverWebhook: webhooks.deliver.bind(webhooks),
		/** The requests that the service acted on. */
		processed: (endpoint?: EndpointName) =>
			server.requests.filter(
				(request) => request.processed && (endpoint === undefined || request.endpoint === endpoint),
			),
		/** State, requests, deliveries, faults and clock as at the start; traffic options and webhooks stay. */
		reset(): void {
			clock.reset();
			workspace = createWorkspace();
			server.faults.clear();
			server.requests.length = 0;
			webhooks.clear();
		},
		/** Closes every socket and timer. */
		async stop(): Promise<void> {
			callTimers.clear();
			webhooks.close();
			await stop();
		},
	};
}

/** S 6.2. Own choice: the wording, an ISO date for callStartTime, and the callId beside what S 6.2 names. */
function endOfCall({ id, toNumber, startedAt }: Call): Record<string, unknown> {
	return {
		callId: id,
		callStartTime: new Date(startedAt).toISOString(),
		summary: `The assistant spoke with ${toNumber}.`,
		transcript: 'Assistant: Hello, how can I help you?\nCustomer: I would like an appointment.',
	};
}
