export default async function globalTeardown(): Promise<void> {
	await globalThis.runningN8n?.stop();
}
