/** First wait after a failure, in ms. {@link MAX_MS} is the maximum wait. */
const FIRST_MS = 500;
const MAX_MS = 30_000;
/** Maximum wait that a server can request, in ms. */
const MAX_ASKED_MS = 60 * 60 * 1000;

/**
 * Returns the wait after the given number of consecutive failures. The full wait doubles with each failure. The result is a random time
 * from half of the full wait up to the full wait, so that processes do not retry together.
 */
export function computeBackoff(failures: number, random: () => number): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return full / 2 + (random() * full) / 2;
}

/** Returns the wait that a `Retry-After` header requests (RFC 9110: seconds or a date); undefined if the header is invalid. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\s*\d+\s*$/.test(header);
  // Date.parse accepts almost any string. A valid HTTP date ends with GMT.
  if (!seconds && !/GMT\s*$/.test(header)) return undefined;
  const asked = seconds ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(asked) ? undefined : Math.min(MAX_ASKED_MS, Math.max(0, asked));
}
