/** Formats a duration: in µs below a millisecond, in ms below a second, otherwise in seconds with two decimals. */
export function formatDuration(ms: number): string {
  if (Math.round(ms) >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms >= 10 || ms === 0) return `${Math.round(ms)} ms`;
  const micros = Math.round(ms * 1000);
  if (micros >= 1000) return `${ms.toFixed(1)} ms`;
  return micros === 0 ? '< 1 µs' : `${micros} µs`;
}

/** Formats an average duration: in whole ms below a second, otherwise in seconds with two decimals. */
export function formatAverage(ms: number): string {
  return Math.round(ms) >= 1000 ? formatDuration(ms) : `${Math.round(ms)} ms`;
}

/** Formats a percentage, from 0 to 100, with one decimal. */
export function formatRate(percent: number): string {
  return `${percent.toFixed(1)} %`;
}

/** Formats bytes as MB (1,000,000 bytes) with one decimal. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Formats a count with its noun: `1 request`, `2,000 requests`. */
export function formatCounted(count: number, thing: string): string {
  return `${formatCount(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/**
 * Formats bytes: exact below 1,000, then rounded to whole kB (1,000 bytes), and from about 1,000,000 on in MB (1,000,000 bytes) with one
 * decimal.
 */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Shortens a trace id to its first 8 characters, which lists show. */
export function shortenTraceId(traceId: string): string {
  return traceId.slice(0, 8);
}

/** Returns the prefix `tl_`, dots, and the last four characters of an API key. For an empty key, returns the prefix and the dots. */
export function maskApiKey(apiKey: string): string {
  return `tl_••••••••${apiKey.slice(-4)}`;
}
