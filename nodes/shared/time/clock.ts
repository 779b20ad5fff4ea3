/**
 * Reads a monotonic clock, in milliseconds since the epoch: the system's time when the process began, plus what has
 * passed since. A correction of the system's clock neither prolongs nor shortens a wait.
 */
export const steadyNow = (): number => Math.floor(performance.timeOrigin + performance.now());
