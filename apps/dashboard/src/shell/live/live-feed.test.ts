import { createServer, type ServerResponse } from 'node:http';
import { createClient, type TraceRow } from '@throughline/contract';
import { pickRows } from '@throughline/testkit/thorough';
import { afterEach, expect, it, vi } from 'vitest';
import { type FeedState, type FeedTimes, openLiveFeed } from './live-feed.ts';

const TIMES: FeedTimes = { firstWaitMs: 10, longestWaitMs: 40, silenceMs: 5_000 };

const row = (path: string): TraceRow => ({
  _id: '0198c000-0000-7000-8000-000000000001',
  traceId: 'a'.repeat(32),
  projectId: '0198c000-0000-7000-8000-000000000002',
  request: { method: 'GET', path, route: null },
  response: { statusCode: 200 },
  timing: { startTime: '2026-01-01T00:00:00.000000Z', duration: 1.5 },
  error: { hasError: false, errorMessage: null, errorCode: null },
  service: 'shop',
  environment: '',
  release: '',
  userId: null,
  sessionId: null,
  country: null,
  instance: '',
  stepCount: 0,
});
const event = (path: string) => `event: trace\ndata: ${JSON.stringify(row(path))}\n\n`;

type Connection = (answer: ServerResponse, url: string) => void;
const closings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/**
 * Opens a feed to a server that handles each connection with the next function of `connections`, and records what the feed reports. The
 * last function handles all further connections.
 */
async function follow(connections: readonly Connection[], times: FeedTimes = TIMES) {
  const seen = { paths: [] as string[], gaps: 0, states: [] as FeedState[], urls: [] as string[] };
  const server = createServer((request, answer) => {
    const connection = connections[Math.min(seen.urls.length, connections.length - 1)];
    seen.urls.push(`${request.url} ${request.headers.authorization}`);
    connection?.(answer, request.url ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const client = createClient({
    baseUrl: `http://127.0.0.1:${address.port}`,
    fetch,
    token: () => 'the-token',
  });
  const close = openLiveFeed(
    client,
    { projectId: 'p 1', status: 'error' },
    {
      onTrace: (trace) => seen.paths.push(trace.request.path),
      onGap: () => seen.gaps++,
      onState: (state) => seen.states.push(state),
    },
    times,
  );
  closings.push(close);
  return { seen, close };
}

const stream =
  (text: string, end: boolean): Connection =>
  (answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    answer.write(text);
    if (end) answer.end();
  };

it('the feed passes on traces as they arrive, and sends the filters and the bearer token', async () => {
  const { seen } = await follow([stream(`: hello\n\n${event('/a')}${event('/ü')}`, false)]);
  await vi.waitFor(() => expect(seen.paths).toEqual(['/a', '/ü']));
  expect(seen.states).toEqual(['connecting', 'live']);
  expect(seen.urls).toEqual(['/api/traces/stream?projectId=p+1&status=error Bearer the-token']);
  expect(seen.gaps).toBe(0);
});

it('the feed reconnects after a lost connection and reports that traces may be missing', async () => {
  const drop: Connection = (answer) => answer.destroy();
  const { seen } = await follow([stream(event('/a'), true), drop, stream(event('/b'), false)]);
  await vi.waitFor(() => expect(seen.paths).toEqual(['/a', '/b']));
  expect(seen.gaps).toBe(1);
  expect(seen.states).toEqual(['connecting', 'live', 'reconnecting', 'reconnecting', 'live']);
});

it('the feed reconnects if the server stops sending', async () => {
  const { seen } = await follow([stream(event('/a'), false), stream(event('/b'), false)], {
    ...TIMES,
    silenceMs: 300,
  });
  await vi.waitFor(() => expect(seen.paths.slice(0, 2)).toEqual(['/a', '/b']), 5_000);
});

it('the feed reconnects if the server is overloaded', async () => {
  const busy: Connection = (answer) => answer.writeHead(503).end('{}');
  const limited: Connection = (answer) => answer.writeHead(429).end('{}');
  const { seen } = await follow([busy, limited, stream(event('/a'), false)]);
  await vi.waitFor(() => expect(seen.paths).toEqual(['/a']));
  expect(seen.states).toEqual(['connecting', 'reconnecting', 'reconnecting', 'live']);
  // The server never sent the traces that were stored while the feed was down, so the feed reports that traces may be missing.
  expect(seen.gaps).toBe(1);
});

it.each(
  pickRows(
    [
      [429, 'too_many_feeds'],
      [503, 'overloaded'],
    ],
    { usually: 1 },
  ),
)(
  'after the response %i %s, the feed reports too many open feeds, waits for Retry-After, and reports at each attempt that traces may be missing',
  async (status, code) => {
    const full: Connection = (answer) =>
      answer
        .writeHead(status, { 'retry-after': '1' })
        .end(JSON.stringify({ error: { code, message: 'too many', requestId: '1' } }));
    const startMs = performance.now();
    const { seen } = await follow([full, full, stream(event('/a'), false)]);
    await vi.waitFor(() => expect(seen.paths).toEqual(['/a']), 6_000);
    expect(performance.now() - startMs).toBeGreaterThan(2_000);
    expect(seen.states).toEqual(['connecting', 'full', 'full', 'live']);
    expect(seen.gaps).toBe(3);
    expect(seen.urls).toHaveLength(3);
  },
);

it('the feed stops if the server refuses to open it', async () => {
  const refuse: Connection = (answer) =>
    answer
      .writeHead(404)
      .end(JSON.stringify({ error: { code: 'not_found', message: 'no', requestId: '1' } }));
  const { seen } = await follow([refuse]);
  await vi.waitFor(() => expect(seen.states).toEqual(['connecting', 'off']));
});

it('the feed reports that traces may be missing if the server sends the event `gap` or an invalid event', async () => {
  const { seen } = await follow([
    stream('event: gap\ndata: {}\n\nevent: trace\ndata: {"half"\n\nevent: trace\ndata: {"a":1}\n\n', false),
  ]);
  await vi.waitFor(() => expect(seen.gaps).toBe(3));
  expect(seen.paths).toEqual([]);
});

it('a closed feed reports nothing more and closes its connection', async () => {
  let gone = false;
  let answering: ServerResponse | undefined;
  const { seen, close } = await follow([
    (answer) => {
      answering = answer;
      answer.on('close', () => (gone = true));
      stream(event('/a'), false)(answer, '');
    },
  ]);
  await vi.waitFor(() => expect(seen.paths).toEqual(['/a']));
  close();
  answering?.write(event('/b'));
  await vi.waitFor(() => expect(gone).toBe(true));
  expect(seen.paths).toEqual(['/a']);
  expect(seen.states).toEqual(['connecting', 'live']);
  expect(seen.urls).toHaveLength(1);
});
