import type { ShownProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { isFailed, type StoredTrace } from '../store.ts';
import { findUsualSizes, type UsualSize } from './usual-sizes-store.ts';
import type { TraceEndpoint } from './usual-store.ts';

/**
 * Minimum size of a large response. A smaller response takes little time to send and to read, so its size is not compared with other
 * responses.
 */
export const MIN_LARGE_BYTES = 100_000;

/** The size of a response, and the sizes of the endpoint's other successful responses. */
export interface ResponseSize {
  readonly bytes: number;
  readonly usual: UsualSize;
}

/**
 * Finds the size of a large, successful response, and the sizes of other responses; null if the response is not large or no other size is
 * known. A failed request is not compared, because an error page has another size than a result.
 */
export async function findResponseSize(
  store: TraceStore,
  project: ShownProject,
  { trace, endpoint }: { readonly trace: StoredTrace; readonly endpoint: TraceEndpoint },
): Promise<ResponseSize | null> {
  const bytes = measureResponse(trace);
  if (bytes < MIN_LARGE_BYTES || isFailed(trace)) return null;
  const usual = await findUsualSizes(store, project, endpoint);
  return usual === undefined || usual.requests === 0 ? null : { bytes, usual };
}

/** Returns the size of a trace's response in bytes; 0 if the size is unknown. */
function measureResponse({
  method,
  response_headers: headers,
  response_body: body,
}: Pick<StoredTrace, 'method' | 'response_headers' | 'response_body'>): number {
  // The response to a HEAD request states the size of a body that is not sent.
  if (method.toUpperCase() === 'HEAD') return 0;
  const stated = Number(/"content-length":"?([0-9]+)/i.exec(headers)?.[1] ?? 0);
  if (stated > 0) return stated;
  const [, form] = /^\{"\$type":"(string|cut)"/.exec(body) ?? [];
  if (form === undefined) return Buffer.byteLength(body);
  const { length, size }: { readonly length?: unknown; readonly size?: unknown } = JSON.parse(body);
  const counted = form === 'string' ? length : size;
  return typeof counted === 'number' ? counted : 0;
}
