/** Node's own, taken when the SDK is loaded: the tests of a host put clocks in their place that stand still, or run all that is set. */
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis;

/** Milliseconds of a clock that never goes back. */
export const monotonicMs = performance.now.bind(performance);

/** Milliseconds since 1970. */
export const wallMs = Date.now;
