import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { RealRequest, RealService } from '../harness/service.ts';

const json = { 'content-type': 'application/json' };

/**
 * PouchDB Server 4: Express 4, JavaScript of 2018 with callbacks beside promises, and a database in memory below a queue of its own, which
 * all requests share.
 */
export const service: RealService = {
  name: 'pouchdb-server',
  own: [
    ...['pouchdb-server', 'express-pouchdb'],
    ...['auth', 'security', 'system-db', 'validation', 'wrappers'].map((name) => `pouchdb-${name}`),
  ],
  script: 'pouchdb-server/bin/pouchdb-server',
  args: (port) => ['--port', `${port}`, '--host', '127.0.0.1', '--in-memory', '--no-stdout-logs'],
  // The server's id, which is new at each start, and its digest.
  volatile: [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, /^etag: W\/"b3-.*$/gim],
};

const send = (method: string, path: string, body: object | string): RealRequest => ({
  method,
  path,
  headers: json,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

export const scenario: Scenario = {
  inTurn: [
    { path: '/' },
    { method: 'PUT', path: '/shop' },
    { method: 'PUT', path: '/shop' },
    send('PUT', '/shop/tea', { name: 'Tea', price: 4 }),
    { path: '/shop/tea' },
    send('PUT', '/shop/tea', { name: 'Tea', price: 5 }),
    { path: '/shop/none' },
    { path: '/none/tea' },
    send('PUT', '/shop/bad', '{"name":'),
    send('PUT', '/shop/bad', { _hidden: true }),
    send('POST', '/shop/_bulk_docs', {
      docs: [
        { _id: 'a', price: 1 },
        { _id: 'b', price: 2 },
      ],
    }),
    { path: '/shop/_all_docs?include_docs=true' },
    send('PUT', '/shop/_design/prices', {
      views: { all: { map: 'function (doc) { emit(doc.price, doc.name); }' } },
    }),
    { path: '/shop/_design/prices/_view/all' },
    { method: 'DELETE', path: '/shop/a' },
    { path: '/_all_dbs' },
    { path: '/_utils_none' },
  ],
  overlapping: Array.from({ length: 100 }, (_, nth) =>
    nth % 2 === 0
      ? send('PUT', `/shop/${buildMarker(nth)}`, { text: buildMarker(nth) })
      : { path: `/shop/tea?q=${buildMarker(nth)}` },
  ),
};
