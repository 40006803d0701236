/**
 * Node's own timers, saved when the SDK is loaded: later, a host's tests can replace the global timers with fake timers, which stand still
 * or all run immediately.
 */
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis;

/** Returns milliseconds of a monotonic clock. */
export const monotonicMs = performance.now.bind(performance);

/** Returns milliseconds since 1970. */
export const wallMs = Date.now;
