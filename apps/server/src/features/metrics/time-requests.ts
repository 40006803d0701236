import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../platform/metrics.ts';

/**
 * Times each request by the template of its route. URLs without a route and pages of the dashboard share the label `other`: anyone can send
 * any URL, so a label per URL would create any number of time series. Live streams are left out, because they last as long as a page is
 * open.
 */
export function timeRequests(app: FastifyInstance, metrics: Metrics): void {
  const durations = metrics.durations(
    'throughline_http_request_seconds',
    'Time from the headers of a request to the end of its response.',
    ['method', 'route', 'status'],
  );
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    if (String(reply.raw.getHeader('content-type')).startsWith('text/event-stream')) return;
    const template = routeOptions.url;
    durations.observe(reply.elapsedTime, {
      method: template === undefined ? 'other' : method,
      route: template === undefined || template.includes('*') ? 'other' : template,
      status: `${Math.floor(reply.statusCode / 100)}xx`,
    });
  });
}
