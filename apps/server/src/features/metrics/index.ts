import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ControlDb } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import { isFromThisMachine, isLoopbackName, readHostName } from '../../platform/http/local-requests.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { findBytes } from '../retention/index.ts';
import { countStored, findControlBytes } from './store.ts';
import { timeRequests } from './time-requests.ts';

/**
 * Registers `GET /metrics` for Prometheus. Requests from other machines need the token. If `publicUrl` names another machine, requests from
 * this machine need the token, too: a proxy on this machine can forward requests from outside without adding a header that shows that they
 * were forwarded.
 */
export function registerMetrics(
  app: FastifyInstance,
  deps: {
    readonly metrics: Metrics;
    readonly traces: TraceStore;
    readonly db: ControlDb;
    readonly token: string | undefined;
    readonly publicUrl: string | undefined;
  },
): void {
  const { metrics, traces, db, token, publicUrl } = deps;
  const isBehindProxy = publicUrl !== undefined && !isLoopbackName(new URL(publicUrl).hostname);
  metrics.gauge('process_resident_memory_bytes', 'Memory of this process.', () => process.memoryUsage.rss());
  metrics.gauge('process_cpu_seconds_total', 'User and system CPU time of this process.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  metrics.gauge('process_uptime_seconds', 'Seconds since this process started.', () => process.uptime());
  timeRequests(app, metrics);
  for (const table of ['traces', 'steps', 'spans'] as const) {
    const stored = () => countStored(traces, table);
    metrics.gauge(`throughline_stored_${table}`, `Rows of ${table}.`, async () => (await stored()).rows);
    metrics.gauge(
      `throughline_stored_${table}_bytes`,
      `Bytes on disk of ${table}.`,
      async () => (await stored()).bytes,
    );
  }
  metrics.gauge(
    'throughline_trace_store_bytes',
    'Bytes on disk of the trace store, including rollups and dirty hours.',
    () => findBytes(traces),
  );
  metrics.gauge('throughline_control_store_bytes', 'Bytes on disk of the control store.', () =>
    findControlBytes(db),
  );
  app.get('/metrics', async (request, reply) => {
    // Responds with 404 instead of 401, so that the response does not reveal that the route exists.
    const isOpen = !isBehindProxy && isLocal(request);
    if (!isOpen && !hasToken(request, token)) throw new AppError('not_found');
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

/**
 * True for a request that a program on this machine sent directly. Checks the host name, too: a proxy on this machine can pass on the host
 * name of the original request, even if the proxy adds no header.
 */
function isLocal({ raw }: FastifyRequest): boolean {
  return isFromThisMachine(raw) && isLoopbackName(readHostName(raw));
}

function hasToken(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || given === undefined) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
