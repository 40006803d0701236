import { startOtelCollector } from '@throughline/testkit/otel-collector';
import {
  OTLP_START,
  OTLP_TRACE,
  otlpAttributes,
  otlpProtobuf,
  otlpRequest,
  otlpSpan,
  otlpSpanId,
} from '@throughline/testkit/otlp';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { repetitions } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';

const scene = sceneOfEachTest();

/** `npm test` uses installed tools only; the long tests download missing ones. */
const mayFetch = repetitions({ usually: 0, thoroughly: 1 }) > 0;

test.for(['gzip', 'zstd', 'none'])(
  'all spans that an OpenTelemetry Collector forwards, compressed as %s, are stored once',
  async (compression, context) => {
    const collector = await startOtelCollector(
      {
        name: 'otlp_http',
        settings: {
          endpoint: scene.server.url,
          headers: { 'x-api-key': scene.project.apiKey },
          compression,
        },
      },
      { mayFetch },
    );
    if ('missing' in collector) return context.skip(collector.missing);
    const spans = [
      otlpSpan(3, 2, {
        name: 'parse',
        status: { code: 2, message: 'no rows' },
        events: [
          {
            name: 'exception',
            timeUnixNano: String(OTLP_START + 7n),
            attributes: otlpAttributes({ 'exception.type': 'TypeError', 'exception.message': 'no rows' }),
          },
        ],
      }),
      otlpSpan(2, 1, {
        name: 'SELECT orders',
        kind: 3,
        attributes: otlpAttributes({ 'db.system.name': 'postgresql', 'db.query.text': 'SELECT 1' }),
      }),
      otlpSpan(1, undefined, {
        attributes: otlpAttributes({ 'http.request.method': 'GET', 'url.path': '/ünï', ratio: 0.1 }),
      }),
    ];
    try {
      for (const span of spans) {
        const answer = await fetch(`${collector.url}/v1/traces`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-protobuf' },
          body: otlpProtobuf(otlpRequest('shop', [span])),
        });
        expect(answer.status).toBe(200);
      }
    } finally {
      await collector.stop();
    }
    const trace = await scene.onlyTrace();
    expect(trace).toMatchObject({
      traceId: OTLP_TRACE,
      service: 'shop',
      request: { method: 'GET', path: '/ünï' },
      attributes: {
        ratio: 0.1,
        'otel.scope.name': 'test',
        'otel.start_time_unix_nano': String(OTLP_START + 1n),
        'otel.end_time_unix_nano': String(OTLP_START + 5_000_002n),
      },
      flow: [
        { stepId: otlpSpanId(2), parentStepId: null, stepName: 'SELECT orders', stepType: 'database' },
        {
          stepId: otlpSpanId(3),
          parentStepId: otlpSpanId(2),
          stepName: 'parse',
          error: { name: 'TypeError', message: 'no rows' },
        },
      ],
    });
    expect(trace.flow).toHaveLength(2);
  },
);
