/**
 * Returns the time of a trace's `_id` in epoch ms: the first 48 bits of a UUIDv7 (RFC 9562, section 5.7). The time determines where the
 * trace's rows are in the tables.
 */
export function timeOfTraceId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
