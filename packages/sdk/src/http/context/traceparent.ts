export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Parses a W3C `traceparent` header (Trace Context level 1, section 3.2): lower-case hex, no all-zero ids, version `ff` forbidden, further
 * fields only in versions after 00. Returns undefined if the header is invalid, so that a new trace begins.
 */
export function parseTraceParent(header: unknown): TraceParent | undefined {
  if (typeof header !== 'string' || header.length > 256) return undefined;
  const match = pattern.exec(header.trim());
  if (match === null) return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = match;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
