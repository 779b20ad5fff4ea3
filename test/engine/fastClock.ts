const TIMES = 10;

/**
 * Lets a file's clocks and timers go ten times as fast, or so many: the node, the simulator and n8n wait as long as ever
 * by them, and the tests a part of it. By them, a busy machine is that much slower. The time-out of a request stays as
 * it is, since its answer takes real time.
 */
export function useFastClock(times = TIMES): void {
	const { Date: RealDate, setTimeout: start } = globalThis;
	const { now } = Date;
	const steadyNow = performance.now.bind(performance);
	const [begin, steadyBegin] = [now(), steadyNow()];
	const passed = (): number => times * (steadyNow() - steadyBegin);

	beforeAll(() => {
		performance.now = () => steadyBegin + passed();
		RealDate.now = () => begin + Math.floor(passed());
		globalThis.Date = new Proxy(RealDate, {
			construct: (date, given: unknown[], target) =>
				Reflect.construct(date, given.length > 0 ? given : [date.now()], target) as Date,
		});
		globalThis.setTimeout = Object.assign(
			<T extends unknown[]>(action: (...given: T) => void, ms = 0, ...given: T) =>
				start(action, ms / times, ...given),
			start,
		);
	});
	afterAll(() => {
		performance.now = steadyNow;
		RealDate.now = now;
		Object.assign(globalThis, { Date: RealDate, setTimeout: start });
	});
}
