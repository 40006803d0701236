/**
 * Returns the epoch ms in the first 48 bits of a trace's `_id`, a UUIDv7 (RFC 9562, section 5.7), which
 * determines where its rows are in the tables.
 */
export function timeOfTraceId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
