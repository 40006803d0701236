import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  IncomingMessage,
  type Server,
  ServerResponse,
} from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { connect, Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ignore } from '../api/api.ts';
import { HeldMemory } from '../budget/held-memory.ts';
import { type Options, readSettings } from '../config/options.ts';
import { type EntryHost, installEntry } from '../http/entry.ts';
import { dispatchTraced } from '../http/injected.ts';
import { Exporter } from '../send/exporter.ts';
import { Tracer } from './tracer.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

let tracer: Tracer;
let exporter: Exporter;
/** Paths of the traces that were sent. */
const sent: string[] = [];
let lost = 0;

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
  missed: () => {},
  samples: (req) => tracer.samples(req),
  newRecording: () => tracer.newRecording(),
  begin: (trace) => tracer.begin(trace),
  end: (trace) => tracer.end(trace),
};

beforeAll(() => installEntry(host));
beforeEach(() => {
  sent.length = lost = 0;
});
const opened: { close(): unknown }[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await exporter.shutdown(0);
  for (const one of opened.splice(0)) one.close();
});

function start(options: Options): void {
  exporter = new Exporter({
    url: 'http://127.0.0.1:9',
    apiKey: 'tl_test',
    sdk: { name: '@throughline/node', version: '0.0.0' },
    service: { name: 'shop', instance: 'host:1', runtime: 'node 24' },
    report: () => {},
  });
  vi.spyOn(exporter, 'send').mockImplementation(({ request }) => void sent.push(request.path));
  vi.spyOn(exporter, 'giveUp').mockImplementation((traces) => {
    lost += traces;
  });
  const settings = readSettings(options, {}, () => {});
  tracer = new Tracer(settings, exporter);
}

/** Excludes the request if its path contains `ignored`. */
function exclude(path: string | undefined): void {
  if (path?.includes('ignored')) ignore();
}

async function listen(server: Server | ReturnType<typeof createHttp2Server>): Promise<number> {
  opened.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;

/** Sends a request to a new server with this handler. */
async function send(handler: Handler, path: string): Promise<void> {
  const server = createServer((req, res) => void handler(req, res));
  const port = await listen(server);
  await new Promise((done) => {
    const client = httpRequest({ port, path, method: 'POST', agent: false }, (response) =>
      response.resume().on('end', done),
    );
    client.on('error', done);
    client.end('body');
  });
}

const fail = (res: ServerResponse): unknown => res.writeHead(500).end('failed');

const handlers: Readonly<Record<string, Handler>> = {
  'when the request arrives': ({ url }, res) => {
    exclude(url);
    fail(res);
  },
  'after an await': async ({ url }, res) => {
    await new Promise((done) => setTimeout(done, 5));
    exclude(url);
    fail(res);
  },
  'when the body has arrived': (req, res) => {
    req.resume().on('end', () => {
      exclude(req.url);
      fail(res);
    });
  },
  'just after the response': ({ url }, res) => {
    fail(res);
    exclude(url);
  },
  'when the response is finished': ({ url }, res) => {
    res.on('finish', () => exclude(url));
    fail(res);
  },
  'when the connection of the response is closed': ({ url }, res) => {
    res.on('close', () => exclude(url));
    fail(res);
  },
};

const states: Readonly<Record<string, () => void>> = {
  'is recorded': () => start({}),
  'is recorded without values': () => start({ capture: 'structure' }),
  'is not sampled': () => start({ sampleRate: 0 }),
  'belongs to a route that is not sampled': () => start({ sampleRoutes: { '/:any': 0, '/:any/:way': 0 } }),
  'is not recorded because of the memory limit': () => {
    start({});
    vi.spyOn(HeldMemory.prototype, 'room').mockReturnValue('none');
  },
};

describe.each(Object.entries(states))('a request that %s and fails', (_, begin) => {
  beforeEach(begin);

  test.each(Object.entries(handlers))('is sent, unless the host ignores it %s', async (_when, handler) => {
    await send(handler, '/ignored');
    await send(handler, '/kept');
    await vi.waitFor(() => expect(sent).toContain('/kept'));
    expect(sent).toEqual(['/kept']);
    expect(lost).toBe(0);
  });

  test.each([
    ['HTTP/1-compatible', 'request'],
    ['core', 'stream'],
  ])('is sent, unless the host ignores it in a listener of the %s API of HTTP/2', async (_api, event) => {
    const server = createHttp2Server();
    if (event === 'request')
      server.on('request', (req, res) => {
        req.resume().on('end', () => {
          exclude(req.url);
          res.writeHead(500).end();
        });
      });
    else
      server.on('stream', (stream, headers) => {
        stream.resume().on('end', () => {
          exclude(headers[':path']);
          stream.respond({ ':status': 500 });
          stream.end();
        });
      });
    const client = connectHttp2(`http://127.0.0.1:${await listen(server)}`);
    opened.push(client);
    for (const path of ['/ignored', '/kept']) {
      const stream = client.request({ ':path': path, ':method': 'POST' });
      stream.end('body');
      await once(stream.resume(), 'close');
    }
    await vi.waitFor(() => expect(sent).toContain('/kept'));
    expect(sent).toEqual(['/kept']);
  });

  test('is sent if the host refuses to upgrade its connection, unless the host then ignores the request', async () => {
    const server = createServer();
    server.on('upgrade', ({ url }, socket) => {
      socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
      exclude(url);
    });
    const port = await listen(server);
    for (const path of ['/ignored', '/kept']) {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n`);
      await once(socket.resume(), 'close');
    }
    await vi.waitFor(() => expect(sent).toContain('/kept'));
    expect(sent).toEqual(['/kept']);
  });

  test('is sent if it was injected without a connection, unless the host ignores it', async () => {
    for (const path of ['/ignored', '/kept']) inject(path, (res) => fail(res));
    await vi.waitFor(() => expect(sent).toContain('/kept'));
    expect(sent).toEqual(['/kept']);
  });
});

/** Passes a request without a connection to a handler that excludes the request if its path contains `ignored`. */
function inject(path: string, answer: (res: ServerResponse) => unknown): void {
  const req = new IncomingMessage(new Socket());
  req.method = 'GET';
  req.url = path;
  const handle = (_req: unknown, res: unknown) => {
    exclude(path);
    if (!(res instanceof ServerResponse)) throw new Error('no response');
    answer(res);
    res.emit('close');
  };
  dispatchTraced(handle)(req, new ServerResponse(req));
}

test.each([
  ['inner', { '/:way': 1, '/inner/:way': 0 }],
  ['outer', { '/:way': 0, '/inner/:way': 1 }],
])(
  'if a request is handled within another request, and only the %s one is not sampled, ignoring the inner request does not ignore the outer one',
  async (_, sampleRoutes) => {
    start({ sampleRoutes });
    const within = (path: string): Handler => {
      return (_req, res) => {
        inject(path, (inner) => inner.writeHead(500).end());
        fail(res);
      };
    };
    await send(within('/inner/ignored'), '/one');
    await send(within('/inner/kept'), '/two');
    await vi.waitFor(() => expect(sent).toContain('/two'));
    expect(sent.toSorted()).toEqual(['/inner/kept', '/one', '/two']);
  },
);

test('a slow request that is not sampled is sent, unless the host ignores it', async () => {
  start({ sampleRate: 0, slowMs: 1 });
  const handler: Handler = ({ url }, res) => {
    setTimeout(() => {
      exclude(url);
      res.end();
    }, 5);
  };
  await send(handler, '/ignored');
  await send(handler, '/kept');
  await vi.waitFor(() => expect(sent).toEqual(['/kept']));
});

describe('a request that is not recorded because of the memory limit', () => {
  beforeEach(() => {
    start({});
    vi.spyOn(HeldMemory.prototype, 'room').mockReturnValue('none');
  });

  test('is counted as lost when it ends, unless the host ignores it', async () => {
    const handler: Handler = ({ url }, res) => {
      exclude(url);
      res.end();
    };
    await send(handler, '/ignored');
    await send(handler, '/lost');
    await vi.waitFor(() => expect(lost).toBe(1));
    expect(sent).toEqual([]);
  });

  test('is counted as lost if it is in progress when the process ends, unless the host ignores it', async () => {
    const answers: (() => unknown)[] = [];
    const handler: Handler = ({ url }, res) => {
      exclude(url);
      answers.push(() => res.end());
    };
    const done = ['/ignored', '/lost', '/ignored', '/lost'].map((path) => send(handler, path));
    await vi.waitFor(() => expect(answers).toHaveLength(4));
    expect(lost).toBe(0);
    tracer.endUnfinished();
    expect(lost).toBe(2);
    for (const answer of answers) answer();
    await Promise.all(done);
    tracer.settle();
    expect(lost).toBe(2);
  });

  test('is neither sent nor counted as lost if it is in progress when recording is paused', async () => {
    const answers: (() => unknown)[] = [];
    const handler: Handler = (_req, res) => {
      answers.push(() => fail(res));
    };
    const done = send(handler, '/paused');
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    tracer.pause();
    answers[0]?.();
    await done;
    tracer.settle();
    expect(sent).toEqual([]);
    expect(lost).toBe(0);
  });
});

test('a request that is not sampled and fails while recording is paused is not sent', async () => {
  start({ sampleRate: 0 });
  await send((_req, res) => {
    tracer.pause();
    fail(res);
  }, '/paused');
  tracer.resume();
  await send((_req, res) => fail(res), '/failed');
  await vi.waitFor(() => expect(sent).toContain('/failed'));
  expect(sent).toEqual(['/failed']);
});

test('the async context of an ended request that was not recorded retains neither the request nor its response', async () => {
  start({ sampleRate: 0 });
  const timers: NodeJS.Timeout[] = [];
  const seen: WeakRef<object>[] = [];
  await send((req, res) => {
    timers.push(setTimeout(() => {}, 1_000_000));
    seen.push(new WeakRef(req), new WeakRef(res));
    res.end();
  }, '/ended');
  expect(seen).toHaveLength(2);
  await vi.waitFor(() => {
    collectGarbage();
    expect(seen.map((ref) => ref.deref())).toEqual([undefined, undefined]);
  });
  for (const timer of timers) clearTimeout(timer);
});
