/** The first wait after a failure, and the longest. Milliseconds. */
const FIRST_MS = 500;
const MAX_MS = 30_000;
/** No server may silence a process for longer than this at a time. */
const MAX_ASKED_MS = 60 * 60 * 1000;

/** How long to wait after the `failures`th failure in a row: doubling, and anywhere in the upper half, so that processes do not come back together. */
export function backoffMs(failures: number, random: () => number): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return full / 2 + (random() * full) / 2;
}

/** The wait that a `Retry-After` header asks for (RFC 9110: seconds or a date), or undefined when it says nothing that can be understood. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\s*\d+\s*$/.test(header);
  // Date.parse takes nearly anything; an HTTP date ends like this.
  if (!seconds && !/GMT\s*$/.test(header)) return undefined;
  const asked = seconds ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(asked) ? undefined : Math.min(MAX_ASKED_MS, Math.max(0, asked));
}
