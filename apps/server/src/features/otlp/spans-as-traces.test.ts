import { gzipSync } from 'node:zlib';
import { routes } from '@throughline/contract';
import {
  JSON_TYPE,
  OTLP_START,
  OTLP_TRACE,
  type OtlpBody,
  type OtlpRequest,
  otlpAttributes,
  otlpRequest,
  otlpSpan,
  otlpSpanId,
  postSpans,
  sendSpans,
} from '@throughline/testkit/otlp';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';

const scene = sceneOfEachTest();

const post = (body: OtlpBody, headers?: Readonly<Record<string, string>>) =>
  postSpans(scene.server, scene.project.apiKey, body, headers);
const send = (request: OtlpRequest) => sendSpans(scene.server, scene.project.apiKey, request);

const HTTP = { 'http.request.method': 'POST', 'url.path': '/orders', 'http.response.status_code': 201 };

describe('one request, sent as OpenTelemetry spans,', () => {
  test('becomes a trace with steps if the spans follow the current conventions', async () => {
    const request: OtlpRequest = {
      resourceSpans: [
        {
          resource: {
            attributes: otlpAttributes({
              'service.name': 'shop',
              'service.version': '1.2.3',
              'deployment.environment.name': 'production',
              'service.instance.id': 'host-1',
              'process.runtime.name': 'nodejs',
              'process.runtime.version': '24.1',
              'k8s.pod.name': 'shop-7',
            }),
          },
          scopeSpans: [
            {
              scope: { name: 'http', version: '0.1' },
              spans: [
                otlpSpan(2, 1, {
                  name: 'INSERT orders',
                  kind: 3,
                  attributes: otlpAttributes({
                    'db.system.name': 'postgresql',
                    'db.query.text': 'INSERT INTO orders VALUES ($1)',
                    'db.query.parameter.0': '17',
                    'db.namespace': 'main',
                    'code.function.name': 'saveOrder',
                    'code.file.path': 'src/orders.ts',
                    'code.line.number': 41,
                  }),
                }),
                otlpSpan(1, undefined, {
                  attributes: otlpAttributes({
                    ...HTTP,
                    'http.route': '/orders',
                    'url.scheme': 'https',
                    'server.address': 'shop.example',
                    'url.query': 'a=1&b=2&b=3',
                    'client.address': '203.0.113.77',
                    'user_agent.original': 'curl/8',
                    'user.id': 'u-17',
                    'session.id': 's-1',
                    'network.protocol.version': '1.1',
                    'app.password': 'hunter2hunter2',
                  }),
                }),
                otlpSpan(3, 2, {
                  attributes: otlpAttributes({ 'app.items': 3 }),
                  status: { code: 2, message: '' },
                  events: [
                    {
                      name: 'exception',
                      timeUnixNano: String(OTLP_START),
                      attributes: otlpAttributes({
                        'exception.type': 'TypeError',
                        'exception.message': 'no total',
                        'exception.stacktrace': 'TypeError: no total\n    at pay',
                      }),
                    },
                  ],
                }),
              ],
            },
          ],
        },
      ],
    };
    await send(request);
    const trace = await scene.onlyTrace();
    expect(trace).toMatchObject({
      traceId: OTLP_TRACE,
      spanId: otlpSpanId(1),
      parentSpanId: null,
      service: 'shop',
      serviceVersion: '1.2.3',
      release: '1.2.3',
      environment: 'production',
      instance: 'host-1',
      runtime: 'nodejs 24.1',
      request: {
        method: 'POST',
        path: '/orders',
        route: '/orders',
        url: 'https://shop.example/orders?a=1&b=2&b=3',
        query: { a: '1', b: ['2', '3'] },
        ip: '203.0.113.0',
        userAgent: 'curl/8',
      },
      response: { statusCode: 201 },
      user: { id: 'u-17' },
      sessionId: 's-1',
      stepCount: 2,
      error: { hasError: false },
    });
    expect(trace.timing.duration).toBe(5);
    expect(trace.attributes).toMatchObject({
      'k8s.pod.name': 'shop-7',
      'network.protocol.version': '1.1',
      'app.password': { $type: 'redacted' },
      'otel.start_time_unix_nano': String(OTLP_START + 1n),
    });
    const [query, failed] = trace.flow;
    expect(query).toMatchObject({
      stepId: otlpSpanId(2),
      parentStepId: null,
      stepName: 'INSERT orders',
      stepType: 'database',
      functionName: 'saveOrder',
      filePath: 'src/orders.ts',
      lineNumber: 41,
      inputs: { query: 'INSERT INTO orders VALUES ($1)', parameters: { 0: '17' }, system: 'postgresql' },
      error: null,
      duration: 5,
      metadata: {
        'db.namespace': 'main',
        'otel.kind': 'client',
        'otel.scope.name': 'http',
        'otel.start_time_unix_nano': String(OTLP_START + 2n),
        'otel.end_time_unix_nano': String(OTLP_START + 5_000_003n),
        'otel.resource': { 'k8s.pod.name': 'shop-7' },
      },
    });
    expect(failed).toMatchObject({
      parentStepId: otlpSpanId(2),
      error: { name: 'TypeError', message: 'no total', stack: 'TypeError: no total\n    at pay' },
      metadata: { 'app.items': 3 },
    });
    const { step } = await scene.person.client.call(routes.traces.step, {
      params: { id: trace._id, stepId: otlpSpanId(2) },
    });
    expect(step).toEqual(query);
    const bare = await scene.person.client.call(routes.traces.read, {
      params: { id: trace._id },
      query: { values: 'false' },
    });
    expect(bare.trace.flow[0]).not.toHaveProperty('inputs');
  });

  test('that failed has the message of its exception rather than the message of its status', async () => {
    const failed = (span: number, status: string, exception: Readonly<Record<string, string>>) =>
      otlpSpan(span, undefined, {
        attributes: otlpAttributes({
          ...HTTP,
          'http.route': `/orders/${span}`,
          'http.response.status_code': 500,
        }),
        status: { code: 2, message: status },
        events: [
          { name: 'exception', timeUnixNano: String(OTLP_START), attributes: otlpAttributes(exception) },
        ],
      });
    await send(
      otlpRequest('shop', [
        failed(1, 'Internal Server Error', {
          'exception.type': 'StockError',
          'exception.message': 'no stock of "A-7"',
        }),
        failed(2, 'Internal Server Error', {
          'exception.type': 'StockError',
          'exception.message': 'no stock of "B-9"',
        }),
        failed(3, 'Internal Server Error', { 'exception.type': 'KeyError' }),
        failed(4, '', { 'exception.type': 'KeyError' }),
      ]),
    );
    const { client } = scene.person;
    const params = { id: scene.project.id };
    const { errors } = await client.call(routes.analytics.errors, { params, query: {} });
    expect(errors.commonErrors.map(({ message, count }) => [message, count]).sort()).toEqual([
      ['Internal Server Error', 1],
      ['KeyError', 1],
      ['no stock of …', 2],
    ]);
    const { traces } = await client.call(routes.traces.list, { query: { projectId: params.id } });
    const [first] = traces.filter(({ request }) => request.route === '/orders/1');
    expect(first?.error).toMatchObject({ errorMessage: 'no stock of "A-7"', errorCode: 'StockError' });
  });

  test.runIf(isThorough())('is recognized if the spans follow the old conventions, too', async () => {
    const attributes = otlpAttributes({
      'http.method': 'GET',
      'http.target': '/users/17?full=1',
      'http.scheme': 'http',
      'http.host': 'shop.example:8080',
      'http.route': '/users/:id',
      'http.status_code': 404,
      'http.user_agent': 'curl/7',
      'net.peer.ip': '198.51.100.9',
      'enduser.id': 'ada',
    });
    await send(
      otlpRequest('shop', [
        otlpSpan(1, undefined, { attributes }),
        otlpSpan(2, 1, {
          kind: 3,
          attributes: otlpAttributes({
            'http.method': 'GET',
            'http.url': 'http://pay/x',
            'http.status_code': 200,
          }),
        }),
        otlpSpan(3, 1, {
          attributes: otlpAttributes({
            'db.system': 'redis',
            'db.statement': 'GET a',
            'code.function': 'load',
            'code.namespace': 'Cache',
          }),
        }),
      ]),
    );
    const trace = await scene.onlyTrace();
    expect(trace).toMatchObject({
      request: {
        method: 'GET',
        path: '/users/17',
        route: '/users/:id',
        url: 'http://shop.example:8080/users/17?full=1',
        query: { full: '1' },
        ip: '198.51.100.0',
        userAgent: 'curl/7',
      },
      response: { statusCode: 404 },
      user: { id: 'ada' },
    });
    expect(trace.flow).toMatchObject([
      { stepType: 'http', inputs: { method: 'GET', url: 'http://pay/x' }, outputs: { statusCode: 200 } },
      { stepType: 'cache', inputs: { query: 'GET a' }, functionName: 'Cache.load' },
    ]);
  });

  test.each(
    pickRows(
      [
        [
          'a gRPC call',
          { 'rpc.system': 'grpc', 'rpc.service': 'Pay', 'rpc.method': 'Charge', 'rpc.grpc.status_code': 5 },
          2,
          0,
          { method: 'GRPC', path: '/Pay/Charge' },
          404,
        ],
        [
          'a message',
          { 'messaging.system': 'kafka', 'messaging.destination.name': 'orders' },
          5,
          0,
          { method: 'CONSUME', path: 'orders' },
          200,
        ],
        [
          'a message that failed',
          { 'messaging.destination': 'orders' },
          5,
          2,
          { method: 'CONSUME', path: 'orders' },
          500,
        ],
        ['a job without a parent', {}, 1, 0, { method: 'SPAN', path: 'span 1' }, 200],
        [
          'HTTP without an answer',
          { 'http.request.method': 'GET', 'url.path': '/x' },
          2,
          0,
          { method: 'GET', path: '/x' },
          null,
        ],
      ],
      { usually: 1 },
    ),
  )('can be %s', async (_what, attributes, kind, code, request, statusCode) => {
    await send(
      otlpRequest('shop', [
        otlpSpan(1, undefined, { kind, attributes: otlpAttributes(attributes as never), status: { code } }),
      ]),
    );
    expect(await scene.onlyTrace()).toMatchObject({
      request,
      response: { statusCode },
      error: { hasError: code === 2 },
    });
  });

  test('and its steps have a duration of zero if their spans end before they begin or have no end', async () => {
    const early = { endTimeUnixNano: String(OTLP_START - 7_000_000n) };
    const attributes = otlpAttributes(HTTP);
    await send(
      otlpRequest('shop', [
        otlpSpan(1, undefined, { attributes, ...early }),
        otlpSpan(2, 1, early),
        otlpSpan(3, 1, { endTimeUnixNano: '0' }),
      ]),
    );
    const trace = await scene.onlyTrace();
    expect(trace.timing.duration).toBe(0);
    expect(trace.flow.map(({ duration }) => duration)).toEqual([0, 0]);
    expect(trace.flow.every(({ startTime, endTime }) => endTime === startTime)).toBe(true);
  });

  test('is stored once if it is sent as compressed JSON and again as protobuf', async () => {
    const request = otlpRequest('shop', [
      otlpSpan(1, undefined, { attributes: otlpAttributes(HTTP) }),
      otlpSpan(2, 1, { attributes: otlpAttributes({ flag: true, half: 0.5, text: 'ünï' }) }),
    ]);
    const packed = new Uint8Array(gzipSync(JSON.stringify(request)));
    const reply = await post(packed, { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' });
    expect(reply).toMatchObject({ status: 200, type: expect.stringContaining(JSON_TYPE) });
    expect(reply.bytes.toString()).toBe('{}');
    // Sends the same spans again in the other encoding; they are already stored.
    await send(request);
    const trace = await scene.onlyTrace();
    expect(trace.flow).toMatchObject([{ metadata: { flag: true, half: 0.5, text: 'ünï' } }]);
    expect(trace.stepCount).toBe(1);
  });
});
