import { createServer, type Server } from 'node:http';
import { Collector, storeAll } from '@throughline/testkit/collector';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { traced } from '../../test/traced.ts';
import { readSettings } from '../config/options.ts';
import { installEntry } from '../http/entry.ts';
import { prepareSampling } from '../http/process-stats.ts';
import { setRunningTracer } from '../runtime/state.ts';
import { Tracer } from '../runtime/tracer.ts';
import { Exporter } from '../send/exporter.ts';
import { annotate, capture, flush, ignore, setUser, shutdown } from './api.ts';
import { step } from './step.ts';

interface SentStep {
  readonly stepId: string;
  readonly parentStepId: string | null;
  readonly stepName: string;
  readonly stepType: string;
  readonly duration: number;
  readonly outputs?: unknown;
  readonly error?: { readonly message: string };
  readonly metadata?: Readonly<Record<string, unknown>>;
}

interface SentTrace {
  readonly flow: readonly SentStep[];
  readonly user?: object;
  readonly sessionId?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

let collector: Collector;
let server: Server;
let handle: () => unknown = () => undefined;
const lines: string[] = [];

beforeAll(async () => {
  collector = new Collector();
  await collector.start();
  // The collector runs in the traced process, so the requests that it receives are excluded from tracing.
  collector.reply = (...given) => {
    ignore();
    storeAll(...given);
  };
  const settings = readSettings({ apiKey: 'tl_x', url: collector.url }, {}, (line) => lines.push(line));
  const exporter = new Exporter({
    url: settings.url,
    apiKey: 'tl_x',
    sdk: { name: 'test', version: '0' },
    service: {
      name: 'test',
      version: undefined,
      environment: undefined,
      release: undefined,
      instance: 'x',
      runtime: 'x',
    },
    report: (line) => lines.push(line),
    redact: settings.redact,
  });
  prepareSampling();
  const tracer = new Tracer(settings, exporter);
  installEntry(tracer);
  setRunningTracer(tracer);
  server = createServer((_req, res) => {
    Promise.resolve()
      .then(() => handle())
      .then(
        () => res.end(),
        () => res.writeHead(500).end(),
      );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  await collector.stop();
});
beforeEach(() => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  lines.length = 0;
});

/** Runs `fn` in a new request. Returns the trace that was sent; undefined if none was sent. */
async function inRequest(fn: () => unknown): Promise<SentTrace | undefined> {
  handle = fn;
  const before = collector.received.length;
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  await (await fetch(`http://127.0.0.1:${address.port}/`)).text();
  await flush();
  const [received] = collector.received.slice(before);
  const trace: unknown = received?.posted.traces[0];
  return isTrace(trace) ? trace : undefined;
}

function isTrace(value: unknown): value is SentTrace {
  return typeof value === 'object' && value !== null && 'flow' in value;
}

function outline({ flow }: SentTrace, parent: string | null = null): unknown[] {
  return flow
    .filter(({ parentStepId }) => parentStepId === parent)
    .map((one) => [one.stepName, ...outline({ flow }, one.stepId)]);
}

async function sent(fn: () => unknown): Promise<SentTrace> {
  const trace = await inRequest(fn);
  if (trace === undefined) throw new Error('no trace was sent');
  return trace;
}

/** Calls a function without type checks, as JavaScript code can. */
const untyped = (fn: object, ...given: unknown[]): unknown => Reflect.apply(Object(fn), undefined, given);

const named = ({ flow }: SentTrace, name: string) => flow.find(({ stepName }) => stepName === name);
const soon = () => new Promise((done) => setTimeout(done, 5));

describe('setUser', () => {
  const key = 'ghp_Kq7Lm2Np9Rs4Tv6Wx8Yz1Ab3Cd5Ef7Gh9Jk2';
  const cutIn = (limit: number) => `${'u'.repeat(limit - 17)} ${key} ${'x'.repeat(2000)}`;

  test('shows no part of a secret key if the length limit of an id cuts the key in two', async () => {
    const trace = await sent(() => setUser({ id: cutIn(1024), sessionId: cutIn(512) }));
    expect(JSON.stringify(trace)).not.toContain('ghp_');
    expect(trace.user).toMatchObject({ id: expect.stringMatching(/^u+ ‹redacted›$/) });
  });

  test('cuts a long id without splitting a character', async () => {
    const trace = await sent(() => setUser({ id: `${'u'.repeat(1023)}😀` }));
    expect(trace.user).toEqual({ id: 'u'.repeat(1023) });
  });
});

describe('step', () => {
  test('shows the return value of a function', async () => {
    let returned: unknown;
    const trace = await sent(() => {
      returned = step('add', () => 1 + 1, { type: 'cache', metadata: { of: [1, 1] } });
    });
    expect(returned).toBe(2);
    expect(trace.flow).toMatchObject([
      { stepName: 'add', stepType: 'cache', outputs: 2, metadata: { of: [1, 1] } },
    ]);
  });

  test('shows the error that a function throws, and rethrows the error', async () => {
    const error = new Error('no');
    let caught: unknown;
    const trace = await sent(() => {
      try {
        step('fail', () => {
          throw error;
        });
      } catch (thrown) {
        caught = thrown;
      }
    });
    expect(caught).toBe(error);
    expect(named(trace, 'fail')?.error).toMatchObject({ message: 'no' });
  });

  test('ends when the returned promise settles, and rejects with the same error', async () => {
    const outcomes: unknown[] = [];
    const trace = await sent(async () => {
      outcomes.push(
        await step('later', async () => {
          await soon();
          return 'late';
        }),
      );
      await step('reject', async () => {
        await soon();
        throw new Error('late no');
      }).catch((error: unknown) => outcomes.push(error));
    });
    expect(outcomes).toEqual(['late', new Error('late no')]);
    expect(named(trace, 'later')).toMatchObject({ outputs: 'late' });
    expect(named(trace, 'later')?.duration).toBeGreaterThan(3);
    expect(named(trace, 'reject')).toMatchObject({ error: { message: 'late no' } });
  });

  test('shows two steps if the callback calls an instrumented function, but only one step, with the given name, if the callback itself is instrumented', async () => {
    const shop = traced(
      'exports.price = async (cart) => { const total = cart * 2; await null; return total; };',
    );
    const trace = await sent(async () => step('price it', async () => shop.price?.(21)));
    expect(outline(trace)).toEqual([['price it', ['price']]]);
    const alone = await sent(async () => step('price it', shop.price ?? (() => 0)));
    expect(outline(alone)).toEqual([['price it']]);
  });

  test('ends when a generator function returns its generator, and the generator works as usual', async () => {
    const seen: unknown[] = [];
    const trace = await sent(() => {
      const numbers = step('count', function* () {
        yield 1;
        yield 2;
      });
      for (const number of numbers) seen.push(step('use', () => number));
    });
    expect(seen).toEqual([1, 2]);
    expect(outline(trace)).toEqual([['count'], ['use'], ['use']]);
  });

  test('shows nested and concurrent steps', async () => {
    const trace = await sent(() =>
      step('all', () =>
        Promise.all(['a', 'b'].map((name) => step(name, async () => step(`in ${name}`, () => soon())))),
      ),
    );
    expect(outline(trace)).toEqual([['all', ['a', ['in a']], ['b', ['in b']]]]);
  });

  test('returns unchanged a promise of a subclass, a promise with methods of its own, and a thenable', async () => {
    class Query extends Promise<number> {
      ran = false;
    }
    const query = new Query(() => {});
    const decorated = Object.assign(Promise.resolve(1), { cancel: () => 'cancelled' });
    const thenable = Object.defineProperty({}, 'then', { value: () => expect.unreachable('it was asked') });
    const back: unknown[] = [];
    const trace = await sent(() => {
      for (const one of [query, decorated, thenable]) back.push(step('lazy', () => one));
    });
    expect(back[0]).toBe(query);
    expect(back[1]).toBe(decorated);
    expect(back[2]).toBe(thenable);
    expect(trace.flow.map(({ stepName }) => stepName)).toEqual(['lazy', 'lazy', 'lazy']);
  });

  test('reports each kind of invalid argument in one line, and does not affect the host', async () => {
    const results: unknown[] = [];
    const trace = await sent(() => {
      results.push(
        untyped(step, 'given', 7),
        untyped(step, undefined, () => 8),
        untyped(step, Symbol('s'), () => 9, null),
      );
      results.push(untyped(step, 'typed', () => 10, { type: 'sql', metadata: 'none' }));
    });
    expect(results).toEqual([7, 8, 9, 10]);
    expect(trace.flow.map(({ stepName, stepType }) => [stepName, stepType])).toEqual([
      ['step', 'custom'],
      ['step', 'custom'],
      ['typed', 'custom'],
    ]);
    expect(lines).toEqual([
      expect.stringContaining('step takes a name and a function'),
      expect.stringContaining('the type of a step must be one of middleware, handler, '),
    ]);
  });
});

test('annotate, setUser and capture add values to the trace or to the running step', async () => {
  const trace = await sent(async () => {
    setUser({ id: 7, plan: 'pro', sessionId: 's-1' });
    annotate({ cart: { id: 'c-1' }, items: 2 });
    annotate({ items: 3 });
    capture('before', 1);
    await step('work', async () => {
      capture('half', 21);
      await soon();
    });
  });
  expect(trace).toMatchObject({
    user: { id: '7', plan: 'pro' },
    sessionId: 's-1',
    attributes: { cart: { id: 'c-1' }, items: 3, before: 1 },
  });
  expect(named(trace, 'work')?.metadata).toEqual({ half: 21 });
});

test('annotate captures a value as the value was at the time of the call', async () => {
  const list = [1];
  const trace = await sent(() => {
    annotate({ list });
    list.push(2);
  });
  expect(trace.attributes).toEqual({ list: [1] });
});

test('capturing values runs no getter, proxy trap or toString method of the host', async () => {
  const run = () => expect.unreachable('code of the host was run');
  const trap = new Proxy({}, { ownKeys: run, get: run, getOwnPropertyDescriptor: run });
  const name = { toString: run };
  const trace = await sent(() => {
    annotate(Object.defineProperty({ plain: 1 }, 'got', { get: run, enumerable: true }));
    for (const one of [trap, null, undefined, 'text', [1]]) untyped(annotate, one);
    for (const one of [trap, null, undefined, {}, { id: {} }, 'ada']) untyped(setUser, one);
    for (const one of [name, null, undefined]) untyped(capture, one, 1);
  });
  expect(trace.attributes).toEqual({ plain: 1 });
  expect(trace.user).toBeUndefined();
  for (const line of [
    'annotate takes named values',
    'setUser takes an object with an id',
    'capture takes a name',
  ])
    expect(lines.some((one) => one.includes(line))).toBe(true);
  expect(lines.filter((line) => line.includes('failed'))).toEqual([]);
});

test('annotate, capture, setUser and the metadata of step each accept at most 100 names, and the SDK reports each limit once', async () => {
  const trace = await sent(() => {
    for (let index = 0; index < 1000; index++) annotate({ [`name ${index}`]: index });
    step('many', () => {
      for (let index = 0; index < 1000; index++) capture(`name ${index}`, index);
    });
    annotate({ 'name 3': 'again' });
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key ${index}`, index]));
    setUser({ ...many, id: 7 });
    step('described', () => 1, { metadata: many });
  });
  expect(Object.keys(trace.user ?? {})).toHaveLength(101);
  expect(Object.keys(named(trace, 'described')?.metadata ?? {})).toHaveLength(100);
  expect(Object.keys(trace.attributes ?? {})).toHaveLength(100);
  expect(trace.attributes?.['name 3']).toBe('again');
  expect(Object.keys(named(trace, 'many')?.metadata ?? {})).toHaveLength(100);
  const reported = lines.map((line) => / (\w[\w ]*) accepts at most 100 names/.exec(line)?.[1]);
  expect(reported.filter((what) => what !== undefined)).toEqual([
    'annotate',
    'capture',
    'setUser',
    'the metadata of step',
  ]);
});

test('setUser and the metadata of step accept exactly 100 names without a report', async () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key ${index}`, index]));
  const trace = await sent(() => {
    setUser({ ...many, id: 7, sessionId: 's' });
    step('described', () => 1, { metadata: many });
  });
  expect(Object.keys(trace.user ?? {})).toHaveLength(101);
  expect(Object.keys(named(trace, 'described')?.metadata ?? {})).toHaveLength(100);
  expect(lines).toEqual([]);
});

test('ignore excludes the request from tracing, even if the host calls ignore inside a step', async () => {
  expect(
    await inRequest(() =>
      step('deep', async () => {
        await soon();
        ignore();
      }),
    ),
  ).toBeUndefined();
});

test('each of several concurrent requests has only its own values', async () => {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  let count = 0;
  handle = async () => {
    const mine = count++;
    await step(`one ${mine}`, async () => {
      await soon();
      annotate({ mine });
      await step(`two ${mine}`, soon);
    });
    setUser({ id: mine });
  };
  const before = collector.received.length;
  const url = `http://127.0.0.1:${address.port}/`;
  await Promise.all(Array.from({ length: 20 }, async () => (await fetch(url)).text()));
  await flush();
  const traces = collector.received.slice(before).flatMap(({ posted }) => posted.traces as unknown[]);
  expect(traces).toHaveLength(20);
  for (const trace of traces.filter(isTrace)) {
    const mine = trace.attributes?.mine;
    expect(trace.user).toEqual({ id: `${mine}` });
    expect(outline(trace)).toEqual([[`one ${mine}`, [`two ${mine}`]]]);
  }
});

test('outside of a request, step only runs its function, and the other functions do nothing', async () => {
  expect(step('alone', () => 3)).toBe(3);
  await expect(step('alone', async () => 4)).resolves.toBe(4);
  annotate({ a: 1 });
  setUser({ id: 1 });
  capture('b', 2);
  ignore();
  expect(lines).toEqual([]);
});

test('flush accepts any timeout; shutdown ends tracing, and the host can still call all functions afterwards', async () => {
  for (const wrong of [Number.NaN, -1, Number.POSITIVE_INFINITY]) expect(await flush(wrong)).toBe(true);
  await shutdown();
  expect(await inRequest(() => step('after', () => 1))).toBeUndefined();
  expect(await flush()).toBe(true);
});
