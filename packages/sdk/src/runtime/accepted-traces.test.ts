import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Collector, storeAll } from '@throughline/testkit/collector';
import { isThorough } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findRefusal } from '../../test/find-refusal.ts';
import {
  makeValues,
  type RandomDeed,
  type RandomRequest,
  randomRequest,
} from '../../test/random-requests.ts';
import { traced } from '../../test/traced.ts';
import { annotate, capture, ignore, setUser } from '../api/api.ts';
import { step } from '../api/step.ts';
import { readSettings } from '../config/options.ts';
import { installEntry } from '../http/entry.ts';
import { prepareSampling } from '../http/process-stats.ts';
import { findRequestTrace } from '../http/trace/request-trace.ts';
import { StepTracerProvider } from '../otel/tracer.ts';
import { Exporter } from '../send/exporter.ts';
import { setRunningTracer } from './state.ts';
import { Tracer } from './tracer.ts';

let collector: Collector;
let exporter: Exporter;
let tracer: Tracer;
let server: Server;
let port = 0;
const lines: string[] = [];
/** The running requests, by the number in their header. */
const planned = new Map<string, RandomRequest>();
const spans = new StepTracerProvider().getTracer('host');

const { handle } = traced(
  `function inner(value) { return value }
function sync(index, plan) { inner(plan.value); if (index >= plan.failFrom && index < plan.failTo) throw plan.value; return plan.value }
async function later(index, plan) { await null; return sync(index, plan) }
function* generate(index, plan) { yield index; yield sync(index, plan) }
function nested(index, plan) { return index > 3 ? sync(index, plan) : nested(index + 1, plan) }
const fns = { sync, later, generate: (index, plan) => [...generate(index, plan)], nested };
async function run(plan) {
  const together = [];
  for (let index = 0; index < plan.count; index++) {
    try {
      const result = fns[plan.fn](index, plan);
      if (plan.overlap && plan.fn === 'later') together.push(result.catch(() => {}));
      else await result;
    } catch {}
  }
  await Promise.all(together);
}
exports.handle = async function handle(request, act) {
  for (const deed of request.deeds) {
    if (deed.deed === 'calls') await run(deed);
    else act(deed);
  }
  if (request.end === 'throw') throw request.thrown;
}`,
);

beforeAll(async () => {
  collector = new Collector((...given) => {
    ignore();
    storeAll(...given);
  });
  await collector.start();
  const settings = readSettings({ apiKey: 'tl_x', url: collector.url }, {}, () => {});
  exporter = new Exporter({
    url: settings.url,
    apiKey: 'tl_x',
    sdk: { name: 'test', version: '0' },
    service: { name: 'test', instance: 'x', runtime: 'x' },
    report: (line) => lines.push(line),
    redact: settings.redact,
    delayMs: 60_000,
  });
  prepareSampling();
  tracer = new Tracer(settings, exporter);
  const begin = tracer.begin.bind(tracer);
  tracer.begin = (trace) => {
    begun += 1;
    begin(trace);
  };
  installEntry(tracer);
  setRunningTracer(tracer);
  server = createServer((req, res) => void handled.push(serve(req, res)));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(async () => {
  await exporter.shutdown(0);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await collector.stop();
});

async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const request = planned.get(String(req.headers['x-request']));
  if (request === undefined) throw new Error('an unplanned request');
  try {
    await handle?.(request, (deed: RandomDeed) => guarded(() => act(deed, req, res)));
  } catch (error) {
    guarded(() => findRequestTrace(req)?.reportError(error));
    guarded(() => {
      res.statusCode = 500;
    });
  }
  if (request.end === 'abort') {
    res.destroy();
    return;
  }
  guarded(() => res.setHeader('content-type', request.type));
  guarded(() => Reflect.set(res, 'statusCode', request.status));
  guarded(() => res.end(request.answer));
  if (res.writableEnded) return;
  res.statusCode = 200;
  res.end();
}

/** Runs a wrong operation of a host's program. Ignores the errors that Node or the program itself throws. */
function guarded(run: () => unknown): void {
  try {
    run();
  } catch {}
}

function act(deed: RandomDeed, req: IncomingMessage, res: ServerResponse): void {
  // Safe casts: a program without types can pass any value.
  switch (deed.deed) {
    case 'setUser':
      setUser(deed.value as never);
      return;
    case 'annotate':
      annotate(deed.value as never);
      return;
    case 'capture':
      capture(deed.name as never, deed.value);
      return;
    case 'step':
      step(deed.name as never, () => deed.value, deed.options as never);
      return;
    case 'request':
      Object.defineProperty(req, deed.field, { value: deed.value, writable: true, configurable: true });
      return;
    case 'header':
      res.setHeader(deed.name, deed.value as never);
      return;
    case 'route': {
      const trace = findRequestTrace(req);
      if (trace !== undefined) trace.route = deed.value;
      return;
    }
    case 'span': {
      const span = spans.startSpan(deed.name as never, deed.options as never);
      guarded(() => span.setAttribute(deed.name as never, deed.attribute as never));
      guarded(() => span.addEvent(deed.name as never, deed.attribute as never));
      guarded(() => span.recordException(deed.exception as never));
      guarded(() => span.updateName(deed.name as never));
      span.end(deed.end as never);
    }
  }
}

/** Sends a request without the checks of an HTTP client, and waits for the end of the connection. */
function send(request: RandomRequest): Promise<void> {
  const number = `${planned.size}`;
  planned.set(number, makeValues(request));
  const { method, target, headers, body } = request;
  const head = [
    `${method} ${target} HTTP/1.1`,
    'host: h',
    'connection: close',
    `x-request: ${number}`,
    `content-type: ${request.type}`,
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
      socket.end(body);
    });
    socket.on('error', () => {});
    socket.on('close', () => done());
    socket.resume();
  });
}

/** Promises of the handlers that have started since the last call of `sendAll`. */
const handled: Promise<void>[] = [];
/** Number of traces that have begun. */
let begun = 0;

/** Sends requests at the same time. Returns the traces that the server received, and the number of traces that began. */
async function sendAll(
  requests: readonly RandomRequest[],
): Promise<{ readonly traces: readonly unknown[]; readonly expected: number }> {
  const before = begun;
  await Promise.all(requests.map((request) => send(request)));
  await Promise.all(handled.splice(0));
  await vi.waitFor(
    () => expect([...tracer.active].every(({ closedMs }) => closedMs !== undefined)).toBe(true),
    { interval: 2 },
  );
  // Steps that a program left open must not delay the test.
  tracer.settle();
  const expected = begun - before;
  expect(await exporter.flush()).toBe(true);
  return { traces: collector.take().flatMap(({ posted }) => posted.traces), expected };
}

test('the server accepts the trace of every request, whatever client and program do', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const requests = fc.array(randomRequest, { minLength: 6, maxLength: 6 });
  let sent = 0;
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(requests, async (together) => {
      const { traces, expected } = await sendAll(together);
      expect(traces.map(findRefusal).filter((refusal) => refusal !== undefined)).toEqual([]);
      expect(traces).toHaveLength(expected);
      expect(exporter.counters.lost).toBe(0);
      sent += together.length;
      accepted += traces.length;
    }),
    { numRuns: isThorough() ? 500 : 5, seed: 20_261_129, endOnFailure: !isThorough() },
  );
  // Node itself answers the requests that are not valid HTTP.
  expect(accepted).toBeGreaterThan(sent / 2);
});
