/** How numbers are shown, once for every screen, mail and export. */

/** Below a millisecond in µs, below a second in ms, else in seconds to two places. */
export function formatDuration(ms: number): string {
  if (Math.round(ms) >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms >= 10 || ms === 0) return `${Math.round(ms)} ms`;
  const micros = Math.round(ms * 1000);
  if (micros >= 1000) return `${ms.toFixed(1)} ms`;
  return micros === 0 ? '< 1 µs' : `${micros} µs`;
}

/** An average: rounded to whole ms; from a second on, in seconds to two places. */
export function formatAverage(ms: number): string {
  return Math.round(ms) >= 1000 ? formatDuration(ms) : `${Math.round(ms)} ms`;
}

/** A percentage 0–100 with one decimal. */
export function formatRate(percent: number): string {
  return `${percent.toFixed(1)} %`;
}

/** Bytes as MB (10^6) with one decimal. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 request`, `2,000 requests`. */
export function formatCounted(count: number, thing: string): string {
  return `${formatCount(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** Bytes in words: below 1,000 exact, else rounded in kB or MB (10^3). */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A trace id as lists show it: its first 8 characters. */
export function shortenTraceId(traceId: string): string {
  return traceId.slice(0, 8);
}

/** An API key as it may be seen: its prefix and last four characters; of one that cannot be read, the prefix alone. */
export function maskApiKey(apiKey: string): string {
  return `tl_••••••••${apiKey.slice(-4)}`;
}

/** Slower than this is amber, and red. Milliseconds. */
export const SLOW_MS = 500;
export const VERY_SLOW_MS = 1000;
