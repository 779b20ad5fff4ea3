/** What the tests use of the official SDK for MCP: its own types are not found by the module resolution here. */
declare module '@modelcontextprotocol/sdk/client/index.js' {
	export class Client {
		constructor(info: { name: string; version: string });
		connect(transport: { close(): Promise<void> }): Promise<void>;
		callTool(use: { name: string; arguments: Record<string, unknown> }): Promise<{
			content: { type: string; text?: string }[];
			isError?: boolean;
		}>;
		close(): Promise<void>;
	}
}

declare module '@modelcontextprotocol/sdk/client/streamableHttp.js' {
	export class StreamableHTTPClientTransport {
		constructor(url: URL);
		close(): Promise<void>;
	}
}
