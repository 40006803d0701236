/** Limits on how much of a request is stored. Each cut is marked at its position and counted in the trace's `dropped`. */
export interface CaptureLimits {
  /** Maximum levels of nested objects captured below a value. A `cut` replaces deeper objects. */
  readonly depth: number;
  /** Maximum items captured per array, Map, Set or typed array. */
  readonly items: number;
  /** Maximum keys captured per object. */
  readonly keys: number;
  /** Maximum UTF-16 code units captured per string. */
  readonly stringLength: number;
  /** Maximum bytes of JSON for the values of one step. */
  readonly stepBytes: number;
  /** Maximum bytes of JSON for the values of one request. */
  readonly requestBytes: number;
  /** Maximum steps per request. */
  readonly steps: number;
  /** Maximum number of calls of one function, made by one step, that become steps. Later calls are counted in a call aggregate. */
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

/**
 * Allowed range of each limit. The maximums protect the host: capturing deeper objects could exhaust the host's stack, and larger captures
 * could exhaust the host's memory.
 */
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
 * Returns the limits for a user's settings: the default if a setting is missing or not a number, the nearest bound if a setting is out of
 * range, the integer part if a setting is a fraction. `report` receives a line for each setting that was changed.
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
