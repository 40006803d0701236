import type { Trace } from '@throughline/contract';

interface Given {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly statusCode?: number | null;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly droppedBytes?: number;
  readonly attributes?: Trace['attributes'];
}

/** Builds a trace without steps from the given parts. */
export function aTrace(given: Given): Trace {
  return {
    _id: '0',
    traceId: '0',
    projectId: '0',
    spanId: null,
    parentSpanId: null,
    request: {
      method: given.method ?? 'POST',
      path: '/',
      route: null,
      url: given.url ?? '/',
      headers: given.headers ?? {},
      ip: null,
      userAgent: null,
    },
    response: {
      statusCode: given.statusCode === undefined ? 200 : given.statusCode,
      headers: given.responseHeaders ?? {},
    },
    timing: { startTime: '2026-11-23T00:00:00.000000Z', duration: 1 },
    performance: { memoryUsage: null, cpuUsage: null, eventLoopDelay: null },
    error: { hasError: false, errorMessage: null, errorCode: null },
    service: '',
    serviceVersion: '',
    environment: '',
    release: '',
    instance: '',
    runtime: '',
    user: null,
    userId: null,
    sessionId: null,
    country: null,
    attributes: given.attributes ?? {},
    stepCount: 0,
    flow: [],
    dropped: { steps: 0, values: 0, bytes: given.droppedBytes ?? 0 },
    createdAt: '2026-11-23T00:00:00.000000Z',
  };
}
