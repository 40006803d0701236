import { Metadata } from '@grpc/grpc-js';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { pickRows } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';

const scene = sceneOfEachTest({ env: { OTLP_GRPC_PORT: '0' } });

const traces = async () => Promise.all((await scene.list()).map(({ _id }) => scene.read(_id)));

const overHttp = () => ({
  url: `${scene.server.url}/v1/traces`,
  headers: { 'x-api-key': scene.project.apiKey },
  compression: 'gzip' as never,
});

function overGrpc() {
  const metadata = new Metadata();
  metadata.set('x-api-key', scene.project.apiKey);
  const url = `http://127.0.0.1:${scene.server.app.otlpGrpcPort()}`;
  return { url, metadata, compression: 'gzip' as never };
}

const exporters: [string, () => SpanExporter][] = [
  ['protobuf', () => new ProtobufExporter(overHttp())],
  ['JSON', () => new JsonExporter(overHttp())],
  ['protobuf over gRPC', () => new GrpcExporter(overGrpc())],
];

test.each(pickRows(exporters, { usually: 1 }))(
  "all spans that OpenTelemetry's SDK for JavaScript sends as gzipped %s are stored",
  async (_encoding, make) => {
    const exporter = make();
    const provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'shop', 'deployment.environment.name': 'test' }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    const tracer = provider.getTracer('tests', '1.0.0');
    for (let request = 0; request < 20; request += 1) {
      const root = tracer.startSpan(
        'GET /users/:id',
        {
          kind: SpanKind.SERVER,
          attributes: {
            'http.request.method': 'GET',
            'url.path': `/users/${request}`,
            'http.route': '/users/:id',
            'http.response.status_code': request === 7 ? 500 : 200,
          },
        },
        ROOT_CONTEXT,
      );
      const context = trace.setSpan(ROOT_CONTEXT, root);
      const query = tracer.startSpan(
        'SELECT users',
        {
          kind: SpanKind.CLIENT,
          attributes: { 'db.system.name': 'postgresql', 'db.query.text': 'SELECT 1' },
        },
        context,
      );
      query.addEvent('cache.miss', { key: 'ünï' });
      const inner = tracer.startSpan(
        'parse',
        { attributes: { list: ['a', 'b'] } },
        trace.setSpan(context, query),
      );
      if (request === 7) {
        inner.recordException(new TypeError('no rows'));
        inner.setStatus({ code: SpanStatusCode.ERROR, message: 'no rows' });
      }
      inner.end();
      query.end();
      root.end();
    }
    await provider.forceFlush();
    await provider.shutdown();
    const all = await traces();
    expect(all).toHaveLength(20);
    for (const one of all) {
      expect(one).toMatchObject({ service: 'shop', environment: 'test', stepCount: 2 });
      expect(one.request.route).toBe('/users/:id');
      expect(one.flow).toMatchObject([
        {
          stepName: 'SELECT users',
          stepType: 'database',
          parentStepId: null,
          metadata: { 'otel.events': [{ name: 'cache.miss', attributes: { key: 'ünï' } }] },
        },
        { stepName: 'parse', parentStepId: one.flow[0]?.stepId, metadata: { list: ['a', 'b'] } },
      ]);
    }
    const failed = all.filter(({ response }) => response.statusCode === 500);
    expect(failed.map(({ flow }) => flow[1]?.error)).toMatchObject([
      { name: 'TypeError', message: 'no rows', stack: expect.stringContaining('TypeError: no rows') },
    ]);
  },
);
