import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../test/loopback';

export interface ToolUse {
	tool: string;
	arguments: Record<string, unknown>;
}

/** What the model says next: a text, with which it ends, or the tools that it wants to use at the same moment. */
export type Turn = string | readonly ToolUse[];

export interface ChatMessage {
	role: string;
	content: unknown;
	tool_calls?: unknown[];
	tool_call_id?: string;
}

/** The conversation so far, and what the model may use. */
export interface ChatRequest {
	messages: ChatMessage[];
	/** True if the client wants the answer in pieces. */
	stream?: boolean;
	tools?: { function: { name: string; description: string } }[];
}

/** Says what comes next in a conversation. */
export type Script = (request: ChatRequest) => Turn;

export type ModelServer = Awaited<ReturnType<typeof startModelServer>>;

/** A language model that is a script, on a loopback port, in the format of OpenAI's chat completions. */
export async function startModelServer() {
	const requests: ChatRequest[] = [];
	let next: Script = () => 'Nothing to do.';

	const answer = async (request: IncomingMessage, response: ServerResponse) => {
		const asked = JSON.parse(await text(request)) as ChatRequest;
		if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
			response.writeHead(404).end();
			return;
		}
		requests.push(asked);
		const completion = completionOf(next(asked));
		if (asked.stream !== true) {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(completion));
			return;
		}
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.end(`data: ${JSON.stringify(pieceOf(completion))}\n\ndata: [DONE]\n\n`);
	};
	const server = createServer((request, response) => {
		answer(request, response).catch((error: unknown) => {
			response.writeHead(400).end(String(error));
		});
	});
	const { baseUrl, stop } = await listen(server);
	return {
		/** For the client: the address before `/chat/completions`. */
		baseUrl: `${baseUrl}/v1`,
		stop,
		/** What was asked, oldest first. */
		requests,
		/** Forgets what was asked, and goes on by this script. */
		play: (script: Script): void => {
			requests.length = 0;
			next = script;
		},
	};
}

/** What the tools have answered in a conversation so far, in the order in which they were used. */
export function toolAnswers(messages: readonly ChatMessage[]): string[] {
	return messages
		.filter(({ role }) => role === 'tool')
		.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
}

/** These turns one after the other, the next one when all tools of the one before have answered; then "Done.". */
export function inTurn(...turns: Turn[]): Script {
	return ({ messages }) => {
		let answered = toolAnswers(messages).length;
		for (const turn of turns) {
			if (answered === 0) return turn;
			answered -= turn.length;
		}
		return 'Done.';
	};
}

/** Fails instead of going on once a tool has answered. */
export const failAfterTool =
	(script: Script): Script =>
	(request) => {
		if (toolAnswers(request.messages).length > 0) throw new Error('the model is out of order');
		return script(request);
	};

function completionOf(turn: Turn) {
	const isText = typeof turn === 'string';
	const calls = isText ? [] : turn;
	const message = {
		role: 'assistant',
		content: isText ? turn : '',
		tool_calls: calls.map((use) => ({
			id: `call_${randomUUID()}`,
			type: 'function',
			function: { name: use.tool, arguments: JSON.stringify(use.arguments) },
		})),
	};
	return {
		id: `chatcmpl-${randomUUID()}`,
		object: 'chat.completion',
		created: Math.floor(Date.now() / 1000),
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: isText ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/** The same in one piece, for a client that wants pieces. */
function pieceOf({ choices, ...completion }: ReturnType<typeof completionOf>) {
	return {
		...completion,
		object: 'chat.completion.chunk',
		choices: choices.map(({ message, ...choice }) => ({
			...choice,
			delta: {
				...message,
				tool_calls: message.tool_calls.map((call, index) => ({ index, ...call })),
			},
		})),
	};
}
