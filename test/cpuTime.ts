/** How much the processor has worked for this process meanwhile, in milliseconds: what waits on a busy machine does not count. */
export function cpuTimeOf(work: () => void): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}
