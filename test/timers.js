/**
 * The node reads its marks back for some seconds after a run, when nobody waits for it any more, by n8n's `sleep`, which
 * holds a process open. A worker of jest that has to wait for that is killed: "failed to exit gracefully". While a test runs,
 * jest's own timer holds the process open.
 */
const { setTimeout: start } = globalThis;

globalThis.setTimeout = Object.assign((...args) => start(...args).unref(), start);
