const startedAt = Number(process.env.PLAYGROUND_STARTED_AT ?? Date.now());

/** One line of progress with the seconds since the start, and the details below it. */
export function say(line: string, details: readonly string[] = []): void {
	const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(6);
	console.log([`[${seconds}s] ${line}`, ...details.map((detail) => `    ${detail}`)].join('\n'));
}
