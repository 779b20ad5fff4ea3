import { CallQueue, type StartedCall } from './callQueue';
import { Clock } from './clock';
import type { Simulator, SimulatorOptions, WebhookDelivery } from './contract';
import { control } from './control';
import type { EndpointName } from './endpoints';
import * as seed from './seed';
import { Server } from './server';
import { serve } from './service';
import { Timers } from './timers';
import { Webhooks } from './webhooks';
import { Workspace } from './workspace';

export type {
	Fault,
	RecordedRequest,
	Simulator,
	SimulatorOptions,
	WebhookDelivery,
	WebhookTarget,
} from './contract';

/** Starts a simulated service on a loopback port. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
	const {
		port = 0,
		apiKey = seed.API_KEY,
		workspaceId = seed.WORKSPACE_ID,
		concurrentCallLimit = Infinity,
		planLimit = Infinity,
	} = options;
	let { callDurationMs } = options;
	const keys = { valid: apiKey, forbidden: seed.FORBIDDEN_API_KEY };
	const clock = new Clock();
	const callTimers = new Timers();
	const webhooks = new Webhooks(options.webhooks ?? []);

	let workspace = createWorkspace();
	const server = new Server({
		serve: (request, match) => serve(request, match, keys, workspace),
		control: (method, path, rawBody) => control(simulator, method, path, rawBody),
	});
	server.setTraffic(options);

	function createWorkspace(): Workspace {
		const calls = new CallQueue(concurrentCallLimit, clock, (call) => {
			if (callDurationMs === undefined) return;
			callTimers.after(callDurationMs, () => void hangUp(call.id));
		});
		return new Workspace(workspaceId, planLimit, clock, calls);
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

	const simulator: Simulator = {
		baseUrl: `${await server.listen(port)}${seed.API_PREFIX}`,
		apiKey,
		forbiddenApiKey: seed.FORBIDDEN_API_KEY,
		workspaceId,
		assistantId: seed.ASSISTANT_ID,
		knowledgeBaseId: seed.KNOWLEDGE_BASE_ID,
		fromNumber: seed.FROM_NUMBER,
		templates: seed.TEMPLATES,
		requests: server.requests,
		clock,
		deliveries: webhooks.deliveries,
		get webhooks() {
			return webhooks.targets;
		},
		get faults() {
			return server.faults.active();
		},
		state: () => workspace.state(),
		removeFault: (id) => {
			server.faults.remove(id);
		},
		setCallDuration: (ms) => {
			callDurationMs = ms;
		},
		addFault: (fault) => {
			server.faults.add(fault);
		},
		setWebhooks: (targets) => {
			webhooks.targets = targets;
		},
		setTraffic: (traffic) => {
			server.setTraffic(traffic);
		},
		customerReplies: (toNumber, message) => {
			workspace.customerReplies(toNumber, message);
		},
		endCall: async (callId, properties) => {
			const deliveries = await hangUp(callId, properties);
			if (!deliveries) throw new Error(`No call ${callId} is going on`);
			return deliveries;
		},
		deliverWebhook: (body) => webhooks.deliver(body),
		processed: (endpoint?: EndpointName) =>
			server.requests.filter(
				(request) => request.processed && (endpoint === undefined || request.endpoint === endpoint),
			),
		removeSenderNumbers: () => {
			workspace.hasSenderNumber = false;
		},
		reset: () => {
			clock.reset();
			workspace = createWorkspace();
			server.faults.clear();
			server.requests.length = 0;
			webhooks.clear();
		},
		stop: async () => {
			callTimers.clear();
			webhooks.close();
			await server.close();
		},
	};
	return simulator;
}

/** S 6.2. Own choice: the wording, an ISO date for callStartTime, and the callId beside what S 6.2 names. */
function endOfCall({ id, toNumber, startedAt }: StartedCall): Record<string, unknown> {
	return {
		callId: id,
		callStartTime: new Date(startedAt).toISOString(),
		summary: `The assistant spoke with ${toNumber}.`,
		transcript: 'Assistant: Hello, how can I help you?\nCustomer: I would like an appointment.',
	};
}
