export default async function globalTeardown(): Promise<void> {
	await Promise.all(globalThis.runningN8ns.map(async ({ stop }) => stop()));
}
