/** In milliseconds. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/**
 * Reads a monotonic clock, in milliseconds since the epoch: the system's time when the process
 * began, plus what has passed since. So corrections of the system's clock change no wait.
 */
export const steadyNow = (): number => Math.floor(performance.timeOrigin + performance.now());
