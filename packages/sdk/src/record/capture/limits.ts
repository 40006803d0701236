/** How much of a request is kept. Every cut is marked where it was made and counted in the trace's `dropped`. */
export interface CaptureLimits {
  /** Levels of objects opened below a captured value itself; what lies deeper is a `cut`. */
  readonly depth: number;
  /** Items shown of one array, Map, Set or typed array. */
  readonly items: number;
  /** Keys shown of one object. */
  readonly keys: number;
  /** UTF-16 units shown of one string. */
  readonly stringLength: number;
  /** Bytes of JSON that the values of one step may take. */
  readonly stepBytes: number;
  /** Bytes of JSON that the values of one request may take. */
  readonly requestBytes: number;
  /** Steps kept of one request. */
  readonly steps: number;
  /** Calls of one function by one step that are steps of their own; those after them are counted in one. */
  readonly calls: number;
}

export const defaultLimits: CaptureLimits = {
  depth: 3,
  items: 100,
  keys: 20,
  stringLength: 255,
  stepBytes: 64 * 1024,
  requestBytes: 1024 * 1024,
  steps: 2000,
  calls: 20,
};

/** The allowed range of each setting. The upper ends keep the host safe: a deeper walk could exhaust its stack, a larger one its memory. */
const limitRanges: { readonly [K in keyof CaptureLimits]: readonly [min: number, max: number] } = {
  depth: [0, 20],
  items: [0, 10_000],
  keys: [0, 10_000],
  stringLength: [0, 100_000],
  stepBytes: [0, 4 * 1024 * 1024],
  requestBytes: [0, 16 * 1024 * 1024],
  steps: [0, 100_000],
  calls: [1, 100_000],
};

/**
 * The limits that hold for a user's settings: the default where one is missing or not a number, the nearest bound where it is
 * out of range. `report` gets one line for each setting that was not taken as it is.
 */
export function resolveLimits(
  settings: { readonly [K in keyof CaptureLimits]?: unknown } = {},
  report: (line: string) => void = () => {},
): CaptureLimits {
  const resolve = (name: keyof CaptureLimits): number => {
    const wanted = settings[name];
    if (wanted === undefined) return defaultLimits[name];
    const [min, max] = limitRanges[name];
    const valid = typeof wanted === 'number' && !Number.isNaN(wanted);
    const taken = valid ? Math.min(max, Math.max(min, Math.trunc(wanted))) : defaultLimits[name];
    if (taken !== wanted)
      report(`limits.${name} must be a whole number from ${min} to ${max}; using ${taken}`);
    return taken;
  };
  return {
    depth: resolve('depth'),
    items: resolve('items'),
    keys: resolve('keys'),
    stringLength: resolve('stringLength'),
    stepBytes: resolve('stepBytes'),
    requestBytes: resolve('requestBytes'),
    steps: resolve('steps'),
    calls: resolve('calls'),
  };
}
