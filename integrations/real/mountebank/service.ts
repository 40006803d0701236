import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { Answer, RealRequest, RealService } from '../harness/service.ts';

const json = { 'content-type': 'application/json' };

/**
 * Mountebank 2: Express 4, JavaScript as written, closures instead of classes, errors without constructors, functions of users that `eval`
 * runs, file streams.
 */
export const service: RealService = {
  name: 'mountebank',
  own: ['mountebank'],
  script: 'mountebank/bin/mb',
  args: (port) => [
    ...['start', '--port', `${port}`, '--host', '127.0.0.1', '--localOnly'],
    ...['--allowInjection', '--mock', '--nologfile', '--loglevel', 'error'],
  ],
  files: { 'people.csv': 'id,name\n1,Ada\n2,Bo\n' },
  // Dates, and the port of the mock server.
  volatile: [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, /\b\d{5}\b/g],
};

const stubs = [
  {
    predicates: [{ equals: { path: '/price' } }, { exists: { query: { q: true } } }],
    responses: [
      {
        is: { statusCode: 201, body: 'The price of $Q' },
        behaviors: [
          { copy: { from: { query: 'q' }, into: '$Q', using: { method: 'regex', selector: '.+' } } },
        ],
      },
    ],
  },
  {
    predicates: [{ matches: { path: '^/orders/\\d+$' } }],
    responses: [{ is: { body: 'An order' }, repeat: 2 }, { is: { statusCode: 503 } }],
  },
  {
    predicates: [{ contains: { body: 'lookup' } }],
    responses: [
      {
        is: { body: 'Called $ROW[name]' },
        behaviors: [
          {
            lookup: {
              key: { from: 'body', using: { method: 'jsonpath', selector: '$.id' } },
              fromDataSource: { csv: { path: 'people.csv', keyColumn: 'id' } },
              into: '$ROW',
            },
          },
          { wait: 5 },
        ],
      },
    ],
  },
  {
    predicates: [{ equals: { path: '/injected' } }],
    responses: [
      {
        inject:
          "function (config) { config.state.calls = (config.state.calls || 0) + 1; return { body: config.request.path + ' ' + config.state.calls }; }",
        behaviors: [
          { decorate: "(config) => { config.response.headers = { 'x-mode': config.request.method }; }" },
        ],
      },
    ],
  },
];

/** Creates a request to a path below the mock server of request 1, whose port is known when it has been created. */
function ask(method: string, path: string, body?: object): RealRequest {
  const adapt = (earlier: readonly Answer[]) => {
    const [, port = ''] = /"port": (\d+)/.exec(earlier[1]?.body.toString() ?? '') ?? [];
    return { path: `/imposters/${port}${path}` };
  };
  const sent = body === undefined ? {} : { headers: json, body: JSON.stringify(body) };
  return { method, path: `/imposters/:id${path}`, adapt, ...sent };
}

/** Creates a request to Mountebank that lets the mock server handle the request of a client. */
function call(path: string, more: object = {}): RealRequest {
  const request = { method: 'GET', path, query: {}, headers: {}, body: '', ip: '127.0.0.1', ...more };
  return ask('POST', '/_requests', { request });
}

const create = (imposter: object): RealRequest => ({
  method: 'POST',
  path: '/imposters',
  headers: json,
  body: JSON.stringify(imposter),
});

export const scenario: Scenario = {
  inTurn: [
    { path: '/' },
    create({ protocol: 'http', name: 'shop', stubs }),
    create({ protocol: 'carrier-pigeon', port: 70_000 }),
    create({ protocol: 'http', stubs: [{ predicates: [{ similar: {} }], responses: [{ is: {} }] }] }),
    call('/price', { query: { q: 'tea' } }),
    call('/orders/7'),
    call('/', { body: '{"lookup":true,"id":"2"}' }),
    call('/injected'),
    call('/unknown'),
    call('/price', { ip: '10.0.0.1' }),
    ask('GET', ''),
    ask('POST', '/stubs', { stub: { responses: [{ is: { body: 'The last one' } }] } }),
    ask('DELETE', '/stubs/9'),
    { path: '/imposters/1' },
    { method: 'POST', path: '/imposters', headers: json, body: '{"protocol":' },
    { path: '/imposters/%E0%A4%A' },
    { path: '/imposters', headers: { accept: 'text/html' } },
    { path: '/missing' },
  ],
  // Half of the requests read a file through a stream, and wait for a timer.
  overlapping: Array.from({ length: 100 }, (_, nth) =>
    nth % 2 === 0
      ? call('/price', { query: { q: buildMarker(nth) } })
      : call('/', { body: JSON.stringify({ lookup: buildMarker(nth), id: '1' }) }),
  ),
};
