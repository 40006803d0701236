import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Trace } from '@throughline/contract';
import { type ForeignSource, prepareProgram } from '@throughline/testkit/foreign-programs';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { repetitions } from '@throughline/testkit/thorough';
import { describe, expect, type TestContext, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../platform/http/errors.ts';
import { encodeStatusProtobuf } from './http/answers.ts';

const scene = sceneOfEachTest({ env: { OTLP_GRPC_PORT: '0' } });

/** `npm test` uses only SDKs that are already installed; the long tests download missing SDKs. */
const mayFetch = repetitions({ usually: 0, thoroughly: 1 }) > 0;

interface Client {
  readonly language: ForeignSource['language'];
  readonly name: string;
  /** The SDK's name for the error, according to OpenTelemetry's conventions. */
  readonly errorName: string;
  /** Messages of the SDK to its application about a partial success. */
  readonly warningsOfRejected: readonly unknown[];
}

const clients: readonly Client[] = [
  {
    language: 'go',
    name: 'Go',
    errorName: '*errors.errorString',
    warningsOfRejected: [expect.stringMatching(/too_old.*\(1 spans rejected\)/)],
  },
  { language: 'java', name: 'Java', errorName: 'java.lang.IllegalStateException', warningsOfRejected: [] },
  { language: 'python', name: 'Python', errorName: 'LookupError', warningsOfRejected: [] },
];

const Sent = z.object({
  traceId: z.string(),
  root: z.string(),
  query: z.string(),
  parse: z.string(),
  warnings: z.array(z.string()),
});

/** A start with a fraction of a microsecond, so that the test notices a lost nanosecond. */
const startNanos = BigInt(Date.now() - 60_000) * 1_000_000n + 123n;
const nanosAfter = (nanos: bigint) => String(startNanos + nanos);

describe.each(clients)("OpenTelemetry's SDK for $name", (client) => {
  const send = async (context: TestContext, endpoint: string, ...rest: readonly string[]) => {
    const folder = join(import.meta.dirname, 'clients', client.language);
    const program = await prepareProgram({ folder, language: client.language, mayFetch });
    if ('missing' in program) return context.skip(program.missing);
    const [compression = 'gzip', ...more] = rest;
    const args = [...program.args, endpoint, scene.project.apiKey, compression, String(startNanos), ...more];
    const { stdout } = await promisify(execFile)(program.command, args, { env: program.env });
    return Sent.parse(JSON.parse(stdout));
  };

  test('sends gzipped protobuf: all spans are stored, and spans that are too old are reported and not sent again', async (context) => {
    const sent = await send(context, `${scene.server.url}/v1/traces`, 'gzip', 'too-old');
    const trace = await scene.onlyTrace();
    expectOrder(trace, sent, client);
    // Compares the raw JSON, since a JavaScript number cannot represent this number.
    expect(await rawText(trace._id)).toMatch(/"count": ?9007199254740993\b/);
    expect(sent.warnings).toEqual(client.warningsOfRejected);
  });

  test.runIf(client.language === 'go').for(['gzip', 'none'])(
    'sends spans over gRPC, compressed as %s: all spans are stored, and spans that are too old are reported',
    async (compression, context) => {
      const endpoint = `grpc://127.0.0.1:${scene.server.app.otlpGrpcPort()}`;
      const sent = await send(context, endpoint, compression, 'too-old');
      expectOrder(await scene.onlyTrace(), sent, client);
      expect(sent.warnings).toEqual(client.warningsOfRejected);
    },
  );

  test.runIf(mayFetch)('sends uncompressed protobuf: all spans are stored', async (context) => {
    const sent = await send(context, `${scene.server.url}/v1/traces`, 'none');
    expectOrder(await scene.onlyTrace(), sent, client);
    expect(sent.warnings).toEqual([]);
  });

  test.runIf(mayFetch).for([429, 503] as const)(
    'sends spans again after a response with status %i, and each span is stored once',
    async (status, context) => {
      const front = await refusingOnce(status);
      try {
        const sent = await send(context, `${front.url}/v1/traces`, 'gzip');
        expectOrder(await scene.onlyTrace(), sent, client);
        expect(front.answers).toEqual([status, 200]);
      } finally {
        await front.close();
      }
    },
  );
});

/** Checks that the trace has exactly the data that the client sent. */
function expectOrder(trace: Trace, sent: z.output<typeof Sent>, { errorName }: Client): void {
  expect(trace).toMatchObject({
    traceId: sent.traceId,
    service: 'checkout',
    release: '1.2.3',
    environment: 'test',
    request: { method: 'POST', path: '/orders/17', route: '/orders/:id' },
    response: { statusCode: 500 },
    stepCount: 2,
    attributes: {
      'otel.kind': 'server',
      'otel.scope.name': 'tests',
      'otel.scope.version': '1.0.0',
      'otel.start_time_unix_nano': nanosAfter(0n),
      'otel.end_time_unix_nano': nanosAfter(5005n),
    },
  });
  const [query, parse] = trace.flow;
  expect(trace.flow).toHaveLength(2);
  expect(query).toMatchObject({
    stepId: sent.query,
    parentStepId: null,
    stepName: 'SELECT orders',
    stepType: 'database',
    inputs: { query: 'SELECT 1', system: 'postgresql' },
    error: null,
    metadata: {
      'otel.kind': 'client',
      'otel.start_time_unix_nano': nanosAfter(1001n),
      'otel.end_time_unix_nano': nanosAfter(4004n),
      'otel.events': [{ name: 'cache.miss', timeUnixNano: nanosAfter(1500n), attributes: { key: 'ünï' } }],
    },
  });
  expect(parse).toMatchObject({
    stepId: sent.parse,
    parentStepId: sent.query,
    stepName: 'parse',
    stepType: 'custom',
    error: { name: errorName, message: 'no rows', stack: expect.stringMatching(/\S/) },
    metadata: {
      text: 'ünï 😀',
      list: ['a', 'b'],
      ratio: 0.1,
      ok: true,
      'otel.links': [
        {
          traceId: '0af7651916cd43dd8448eb211c80319c',
          spanId: 'b7ad6b7169203331',
          attributes: { why: 'batch' },
        },
      ],
      'otel.events': [
        {
          name: 'exception',
          attributes: { 'exception.type': errorName, 'exception.message': 'no rows' },
        },
      ],
      'otel.start_time_unix_nano': nanosAfter(2002n),
      'otel.end_time_unix_nano': nanosAfter(3003n),
    },
  });
}

async function rawText(id: string): Promise<string> {
  const headers = { authorization: `Bearer ${scene.person.token}` };
  return (await fetch(`${scene.server.url}/api/traces/${id}/raw`, { headers })).text();
}

/** Starts a server that responds to the first request like an overloaded server, and forwards later requests to the real server. */
async function refusingOnce(status: 429 | 503) {
  const answers: number[] = [];
  const refusal = new AppError(status === 429 ? 'too_many_requests' : 'overloaded');
  const front = createServer(async (request, response) => {
    const body = await buffer(request);
    if (answers.length === 0) {
      answers.push(status);
      response.writeHead(status, { 'content-type': 'application/x-protobuf', 'retry-after': '1' });
      response.end(encodeStatusProtobuf(refusal));
      return;
    }
    const answer = await fetch(`${scene.server.url}${request.url}`, {
      method: 'POST',
      headers: readHeaders(request),
      body: new Uint8Array(body),
    });
    answers.push(answer.status);
    response.writeHead(answer.status, { 'content-type': 'application/x-protobuf' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const { port } = front.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answers,
    async close() {
      front.closeAllConnections();
      front.close();
      await once(front, 'close');
    },
  };
}

function readHeaders({ headers }: IncomingMessage): Record<string, string> {
  const names = ['content-type', 'content-encoding', 'x-api-key'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
