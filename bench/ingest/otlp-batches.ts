import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type OtlpSpan, otlpAttributes, otlpProtobuf, otlpRequest } from '@throughline/testkit/otlp';

/**
 * A gzipped request with small spans, and the ids of its traces. The spans are like those of OpenTelemetry's own instrumentations: about
 * 550 bytes each in protobuf, with eight attributes.
 */
export interface OtlpBatch {
  readonly body: Buffer;
  readonly traceIds: readonly string[];
}

export const SPANS_PER_TRACE = 20;

/** Builds gzipped requests with the given number of traces each. Runs before the measurement begins. */
export function makeOtlpBatches(batches: number, traces: number): OtlpBatch[] {
  return Array.from({ length: batches }, (_batch, number) => {
    const all = Array.from({ length: traces }, (_trace, place) => makeTrace(number * traces + place));
    const request = otlpRequest(
      'shop',
      all.flatMap(({ spans }) => spans),
    );
    return {
      body: gzipSync(otlpProtobuf(request), { level: 1 }),
      traceIds: all.map(({ traceId }) => traceId),
    };
  });
}

function makeTrace(number: number): { readonly traceId: string; readonly spans: readonly OtlpSpan[] } {
  const traceId = randomBytes(16).toString('hex');
  const ids = Array.from({ length: SPANS_PER_TRACE }, () => randomBytes(8).toString('hex'));
  const startNanos = BigInt(Date.now()) * 1_000_000n;
  const spans = ids.map((spanId, place): OtlpSpan => {
    const parentSpanId = place === 0 ? undefined : ids[Math.floor((place - 1) / 3)];
    const start = startNanos + BigInt(place) * 100_003n;
    return {
      traceId,
      spanId,
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      name: place === 0 ? 'POST /orders/:id' : `step ${place % 7}`,
      kind: place === 0 ? 2 : place % 4 === 0 ? 3 : 1,
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(start + 4_000_017n),
      attributes: otlpAttributes(
        place === 0 ? buildRequest(number) : place % 4 === 0 ? buildQuery(number) : buildWork(number, place),
      ),
    };
  });
  // Sends children first, since they end before their parents.
  return { traceId, spans: spans.toReversed() };
}

function buildRequest(number: number) {
  return {
    'http.request.method': 'POST',
    'http.route': '/orders/:id',
    'url.path': `/orders/${number}`,
    'url.scheme': 'https',
    'server.address': 'shop.example.com',
    'http.response.status_code': number % 50 === 0 ? 500 : 200,
    'user_agent.original': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
    'network.protocol.version': '1.1',
  };
}

function buildQuery(number: number) {
  return {
    'db.system.name': 'postgresql',
    'db.namespace': 'shop',
    'db.query.text':
      'SELECT id, total, currency FROM orders WHERE customer = $1 ORDER BY created_at DESC LIMIT 20',
    'db.operation.name': 'SELECT',
    'server.address': 'db-1.internal',
    'server.port': 5432,
    'db.response.returned_rows': number % 20,
    'db.client.connection.pool.name': 'main',
  };
}

function buildWork(number: number, place: number) {
  return {
    'code.function.name': `work${place}`,
    'code.file.path': 'src/orders/total.ts',
    'code.line.number': 10 + place,
    'app.order': `order-${number}`,
    'app.amount': number * 1.25,
    'app.currency': 'EUR',
    'app.retry': false,
    'thread.name': 'main',
  };
}
