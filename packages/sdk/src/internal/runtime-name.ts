/** Name of the global object whose methods injected code calls. */
export const runtimeName = '__tl_';

/** The call by which injected code enters a function. Source that contains this call is already instrumented. */
export const entryCall = `${runtimeName}.enter(`;

/**
 * Name of a global variable. Code that was instrumented before it ran, by a bundler or in Node 20's loader thread, stores its sites in this
 * variable.
 */
export const prebuiltSitesName = `${runtimeName}sites`;
