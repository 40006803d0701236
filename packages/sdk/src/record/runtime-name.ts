/** The one global name that injected code begins from; everything else hangs from what it returns. */
export const runtimeName = '__tl_';
