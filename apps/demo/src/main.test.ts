import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { SEED_PASSWORD } from './database/customers.ts';
import { readHistory } from './history/history.ts';
import { readFields } from './input.ts';
import { ShopClient } from './traffic/shop-client.ts';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
/** Folder of Node's compile cache for the shop and the SDK. The cache saves half a second of each start. */
const COMPILED = join(tmpdir(), `throughline-compiled-${process.version}`);

/** A received trace with the API key of the request that sent it. */
interface Received {
  readonly apiKey: string | undefined;
  readonly trace: Readonly<Record<string, unknown>>;
}

let collector: Server;
let collectorUrl: string;
const received: Received[] = [];
const running = new Set<ChildProcess>();

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const packed = Buffer.concat(parts);
    const body = request.headers['content-encoding'] === 'zstd' ? zstdDecompressSync(packed) : packed;
    const { traces } = JSON.parse(body.toString()) as { traces: Received['trace'][] };
    const apiKey = request.headers['x-api-key']?.toString();
    received.push(...traces.map((trace) => ({ apiKey, trace })));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ accepted: traces.length, rejected: [] }));
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const address = collector.address();
  collectorUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => collector.close());
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the shop as `npm start` does, but with the SDK's source files. */
async function startShop(traffic: 'on' | 'off'): Promise<{ child: ChildProcess; url: string }> {
  const args = ['--conditions=source', '--liftoff-only', '--import', '@throughline/node/auto', 'src/main.ts'];
  const child = spawn(process.execPath, args, {
    cwd: FOLDER,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: COMPILED,
      DEMO_PORT: '0',
      DEMO_TRAFFIC: traffic,
      THROUGHLINE_URL: collectorUrl,
      THROUGHLINE_API_KEY: 'tl_own',
      THROUGHLINE_SERVICE: 'shop',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const [message] = await once(child, 'message');
  return { child, url: String(readFields(message).url) };
}

const listRequests = (apiKey: string) =>
  received
    .filter((each) => each.apiKey === apiKey)
    .map(({ trace }) => String(readFields(trace.request).path).replace(/\d+$/, ':id'));

it('the trace of a failed checkout contains the country that has no tax rate, and the shop sends its remaining traces before it exits', async () => {
  const { child, url } = await startShop('off');
  const { signal } = new AbortController();
  const visitor = new ShopClient({ baseUrl: url, userAgent: 'test', pace: async () => {}, signal });
  await visitor.signIn('eoin.okafor@example.com', SEED_PASSWORD);
  await visitor.post('/cart/items', { productId: 1 });
  const card = { number: '4242 4242 4242 4242', expiry: '11/29', cvc: '123' };
  expect((await visitor.post('/checkout', { card })).status).toBe(500);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);

  const sent = received.find(({ trace }) => readFields(trace.request).path === '/checkout')?.trace;
  const flow = sent?.flow as { stepName: string; filePath: string; error?: unknown; variables?: unknown }[];
  const failing = flow.findLast(({ error }) => error !== undefined && error !== null);
  expect(failing).toMatchObject({
    stepName: 'taxFor',
    filePath: expect.stringMatching(/src\/checkout\/tax\.ts$/),
    variables: {
      parameters: { country: 'UK', table: { $type: 'Map', size: 27 } },
      localVariables: { entry: { $type: 'undefined' } },
    },
  });
  const text = JSON.stringify(received);
  expect(text).not.toContain(SEED_PASSWORD);
  expect(text).not.toMatch(/4242 ?4242/);
  const verifying = received
    .flatMap(({ trace }) => trace.flow as typeof flow)
    .find(({ stepName }) => stepName === 'verifyPassword');
  // All local variables are redacted: `salt` and `key` are parts of the stored hash; `derived` and `expected` are keys as bytes.
  const { localVariables } = readFields(verifying?.variables);
  const hidden = (of: string) => ({ $type: 'redacted', of });
  expect(localVariables).toEqual({
    salt: hidden('string'),
    key: hidden('string'),
    derived: hidden('Buffer'),
    expected: hidden('Buffer'),
  });

  // Checks that the recorded history is up to date: the SDK still records the same fields for the same failed checkout.
  const recorded = (await readHistory()).visits
    .flatMap(({ traces }) => traces)
    .find(({ request, response }) => {
      return readFields(request).path === '/checkout' && readFields(response).statusCode === 500;
    });
  expect(describeRecording(recorded)).toEqual(describeRecording(sent));
});

/**
 * Lists the fields that the SDK recorded of a request, of its step `authenticate`, and of the response object among the inputs of that
 * step.
 */
function describeRecording(trace: unknown): unknown {
  const { flow, ...rest } = readFields(trace);
  const steps = Array.isArray(flow) ? flow.map(readFields) : [];
  const first = steps.find(({ stepName }) => stepName === 'authenticate');
  return {
    parts: Object.keys(rest).sort(),
    step: Object.keys(first ?? {}).sort(),
    answer: listPaths(readFields(first?.inputs)._response),
  };
}

/** Lists the paths of all values in a nested value. */
function listPaths(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, part]) => listPaths(part, `${path}.${key}`));
}

it.runIf(isThorough())(
  'a copy of the shop sends the requested traces for another project; the shop itself sends no traces',
  async () => {
    const { child, url } = await startShop('off');
    const answer = await fetch(`${url}/__traffic`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requests: 12, url: collectorUrl, apiKey: 'tl_other' }),
    });
    expect([answer.status, await answer.json()]).toEqual([202, { requests: 12 }]);
    // The shop responds to the traffic request only after all traces have arrived.
    const paths = listRequests('tl_other');
    expect(paths).toHaveLength(12);
    expect(new Set(paths)).toEqual(new Set(['/users', '/users/:id', '/posts', '/posts/:id', '/health']));
    received.length = 0;
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(listRequests('tl_own')).toEqual([]);
  },
);

it.runIf(isThorough())('the shop simulates visitors, and exits with its parent process', async () => {
  received.length = 0;
  const { child } = await startShop('on');
  await expect.poll(() => new Set(listRequests('tl_own')), { timeout: 90_000 }).toContain('/checkout');
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it.each(
  pickRows(
    [
      ['is not a number', () => 'many', 'DEMO_PORT is a port number, 0 to 65535; not "many"'],
      ['is in use', () => new URL(collectorUrl).port, 'The demo shop cannot listen on DEMO_PORT'],
    ],
    { usually: 1 },
  ),
)('the error names the port if the port %s', async (_why, port, message) => {
  const child = spawn(process.execPath, ['--liftoff-only', 'src/main.ts'], {
    cwd: FOLDER,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILED, DEMO_PORT: port() },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (part) => {
    printed += String(part);
  });
  await once(child, 'close');
  expect(child.exitCode).toBe(1);
  expect(printed).toContain(message);
});
