/** The one global name that injected code begins from; everything else hangs from what it returns. */
export const runtimeName = '__tl_';

/** How injected code enters a function: a source that holds it is instrumented already. */
export const entryCall = `${runtimeName}.enter(`;

/** Where code that was instrumented before it ran (by a bundler, or in Node 20's loader thread) leaves what it knows of its functions. */
export const prebuiltSitesName = `${runtimeName}sites`;
