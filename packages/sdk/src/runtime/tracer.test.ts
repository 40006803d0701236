import { createServer, request as httpRequest, type Server } from 'node:http';
import { answer, Collector } from '@throughline/testkit/collector';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { traced } from '../../test/traced.ts';
import { type Options, readSettings } from '../config/options.ts';
import { type EntryHost, installEntry } from '../http/entry.ts';
import { live } from '../record/recording.ts';
import { Exporter } from '../send/exporter.ts';
import type { RemoteSettings } from '../send/transport/outcome.ts';
import { Tracer } from './tracer.ts';

const { serve } = traced(
  'function work(n) { return n } exports.serve = function serve(req, res) { const seen = work(7); if (req.url === "/slow") setTimeout(() => res.end("slow"), 60); else { res.statusCode = req.url === "/broken" ? 500 : 200; res.end("ok") } }',
  { setTimeout },
);

let tracer: Tracer;
let collector: Collector;
let server: Server;
let settings: RemoteSettings | undefined;

/** The collector runs in this process, too, so requests to this path are not traced. */
const ingest = '/api/ingest/traces';

/** Passes all calls of this process's HTTP hooks to the tracer of the running test. */
const host: EntryHost = {
  get on() {
    return tracer.on;
  },
  get bodyBytes() {
    return tracer.bodyBytes;
  },
  get active() {
    return tracer.active;
  },
  missed: () => tracer.missed(),
  samples: (req) => req.url !== ingest && tracer.samples(req),
  newRecording: () => tracer.newRecording(),
  begin: (trace) => {
    if (trace.target !== ingest) tracer.begin(trace);
  },
  end: (trace) => {
    if (trace.target !== ingest) tracer.end(trace);
  },
};

beforeAll(async () => {
  installEntry(host);
  server = createServer((req, res) => void serve?.(req, res));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(() => new Promise<void>((done) => server.close(() => done())));

beforeEach(async () => {
  settings = undefined;
  collector = new Collector();
  await collector.start();
  collector.reply = (response, { posted }) =>
    answer(response, 200, { accepted: posted.traces.length, rejected: [], settings });
});
afterEach(async () => {
  await tracer.shutdown(0);
  await collector.stop();
});

function start(options: Options = {}): void {
  const exporter: Exporter = new Exporter({
    url: collector.url,
    apiKey: 'tl_test',
    sdk: { name: '@throughline/node', version: '0.0.0' },
    service: { name: 'shop', instance: 'host:1', runtime: 'node 24' },
    report: () => {},
    onSettings: (remote) => tracer.follow(remote),
    delayMs: 5,
    askMs: 20,
  });
  tracer = new Tracer(
    readSettings(options, {}, () => {}),
    exporter,
  );
}

/** Sends a request to the server on a separate connection. Returns the response body. */
function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return new Promise((done, fail) => {
    const sent = httpRequest({ port, path, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => done(text));
    });
    sent.on('error', fail).end();
  });
}

interface Sent {
  readonly request: { readonly path: string };
  readonly flow: readonly { readonly stepName: string; readonly inputs?: unknown }[];
  readonly attributes?: Readonly<Record<string, unknown>>;
}
const sent = (): Sent[] => collector.received.flatMap(({ posted }) => posted.traces as unknown as Sent[]);
const listStepNames = (trace: Sent | undefined) => trace?.flow.map(({ stepName }) => stepName);

/** Returns the trace of the request to a path, once the trace has arrived. */
async function awaitTrace(path: string): Promise<Sent> {
  return vi.waitFor(
    () => {
      const trace = sent().find(({ request }) => request.path === path);
      if (trace === undefined) throw new Error(`no trace of ${path}`);
      return trace;
    },
    { timeout: 10_000 },
  );
}

describe('a project setting', () => {
  it('applies as soon as the response to a batch contains it: capture is turned off, and on again without a restart', async () => {
    start();
    settings = { capture: 'off' };
    await get('/first');
    expect(listStepNames(await awaitTrace('/first'))).toEqual(['serve', 'work']);
    await vi.waitFor(() => expect(tracer.on).toBe(false));
    for (let index = 0; index < 5; index++) expect(await get('/unseen')).toBe('ok');
    expect(live.on).toBe(0);
    settings = { capture: 'structure' };
    await vi.waitFor(async () => {
      await get('/unseen');
      expect(tracer.on).toBe(true);
    });
    await get('/again');
    const again = await awaitTrace('/again');
    expect(listStepNames(again)).toEqual(['serve', 'work']);
    expect(again.flow.every(({ inputs }) => inputs === undefined)).toBe(true);
  });

  it('no longer applies once the project has removed the setting', async () => {
    start();
    settings = { sampleRate: 0 };
    await get('/first');
    await awaitTrace('/first');
    await vi.waitFor(async () => {
      const before = sent().length;
      await get('/unseen');
      await tracer.flush();
      expect(sent()).toHaveLength(before);
    });
    settings = undefined;
    await vi.waitFor(async () => {
      await get('/unseen');
      expect(sent().map(({ request }) => request.path)).toContain('/unseen');
    });
  });

  it("does not override a host's option; if the host sets all options that the project can set, the SDK requests no settings", async () => {
    start({ capture: 'all', sampleRate: 0 });
    settings = { capture: 'off', sampleRate: 1 };
    await get('/unseen');
    await get('/broken');
    await awaitTrace('/broken');
    expect(tracer.on).toBe(true);
    await get('/unseen');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(sent()).toHaveLength(1);
    expect(collector.received).toHaveLength(1);
  });
});

describe('requests that are not sampled', () => {
  it('are sent without steps and with a mark if they fail or are slow', async () => {
    start({ sampleRate: 0, slowMs: 50 });
    await Promise.all(['/ok', '/slow', '/broken'].map((path) => get(path)));
    expect(await awaitTrace('/slow')).toMatchObject({
      flow: [],
      attributes: { 'throughline.unsampled': 'slow' },
    });
    expect(await awaitTrace('/broken')).toMatchObject({
      flow: [],
      attributes: { 'throughline.unsampled': 'error' },
    });
    expect(sent()).toHaveLength(2);
  });

  it("are chosen by route or by their caller's decision", async () => {
    start({ sampleRoutes: { '/health': 0 }, followParent: true });
    const parent = (flags: string) => ({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-${flags}` });
    await get('/health?now', parent('01'));
    await get('/left', parent('00'));
    await get('/kept', parent('01'));
    await get('/own');
    await awaitTrace('/own');
    await awaitTrace('/kept');
    expect(
      sent()
        .map(({ request }) => request.path)
        .toSorted(),
    ).toEqual(['/kept', '/own']);
  });
});

describe('a running tracer', () => {
  it('stops recording immediately when paused, even for requests in progress, and records again when resumed', async () => {
    start();
    const slow = get('/slow');
    await vi.waitFor(() => expect(live.on).toBe(1));
    tracer.pause();
    expect(live.on).toBe(0);
    expect(await slow).toBe('slow');
    expect(await get('/paused')).toBe('ok');
    // The SDK must not request settings now, because the host itself paused recording.
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(collector.received).toEqual([]);
    tracer.resume();
    await get('/resumed');
    expect(listStepNames(await awaitTrace('/resumed'))).toEqual(['serve', 'work']);
    expect(sent()).toHaveLength(1);
  });

  it('sends a request whose response ended just before the flush', async () => {
    start();
    let flushed: Promise<boolean> | undefined;
    const lambda = createServer((_req, res) => {
      res.end('done');
      flushed = tracer.flush();
    });
    await new Promise<void>((done) => lambda.listen(0, '127.0.0.1', done));
    const address = lambda.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const answered = await fetch(`http://127.0.0.1:${port}/lambda`);
    expect(await answered.text()).toBe('done');
    expect(await flushed).toBe(true);
    expect(sent().map(({ request }) => request.path)).toEqual(['/lambda']);
    lambda.closeAllConnections();
    await new Promise<void>((done) => lambda.close(() => done()));
  });

  it('does not wait for requests without a response when it is flushed', async () => {
    start();
    const slow = get('/slow');
    await vi.waitFor(() => expect(live.on).toBe(1));
    expect(await tracer.flush()).toBe(true);
    expect(sent()).toEqual([]);
    await slow;
    await awaitTrace('/slow');
  });
});
