/**
 * The time in milliseconds since the epoch, as it was when the process began plus what has passed since. Nobody sets
 * this clock: all waiting goes by it, so that a correction of the system's clock holds nothing up and cuts nothing short.
 */
export const steadyNow = (): number => Math.floor(performance.timeOrigin + performance.now());
