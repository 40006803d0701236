import { Collector } from '@throughline/testkit/collector';
import type { PostedTrace } from '@throughline/testkit/posted';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { step } from './harness/trees.ts';

const collector = new Collector();
let app: App;
let url: string;

beforeAll(async () => {
  app = new App('bluebird/outcomes.js', { collector: await collector.start() });
  url = await app.ready();
});
afterAll(async () => {
  await app.stop('SIGKILL');
  await collector.stop();
  expect(app.stderr).toBe('');
});

const request = async (path: string): Promise<PostedTrace> => {
  await (await fetch(url + path)).text();
  return collector.trace(path);
};

/** Returns what each step shows, apart from its times: its name, its parent, its outcome and its marks. */
function summarize({ flow }: PostedTrace): unknown[] {
  const names = new Map(flow.map(({ stepId, stepName }) => [stepId, stepName]));
  return flow.map(({ stepName, parentStepId, outputs, error, metadata }) => ({
    stepName,
    parent: parentStepId === null ? null : names.get(parentStepId),
    outputs,
    error: error && `${error.name} ${error.message}`,
    metadata,
  }));
}

/** Minimum duration of the steps of slow functions. The functions wait slightly longer, because timers can fire early. */
const SLOW_MS = 6;
const SLOW = new Set([
  'find the order',
  'get it',
  'getAll',
  'getThrough',
  'findThenGet',
  'failLater',
  'failThrough',
]);

/** Expects that each step of a slow function lasts longer than `SLOW_MS`. */
function expectSlow({ flow }: PostedTrace): void {
  for (const { stepName, duration } of flow)
    if (SLOW.has(stepName)) expect(duration).toBeGreaterThan(SLOW_MS);
}

const FORMS = [
  'chained',
  'through',
  'followed',
  'returned',
  'named',
  'namedFunction',
  'namedFailing',
  'resolved',
  'caught',
  'second',
  'ignored',
  'awaited',
  'handed',
  'thrown',
];

test.each(['bluebird', 'copy', 'cancellable'])(
  'functions that return a promise of Bluebird have the outcomes and durations that they have with native promises: %s',
  async (library) => {
    const forms = await Promise.all(
      FORMS.map(async (form) => {
        const paths = ['native', library].map((promises) => `/${promises}/${form}/${library}`);
        return { form, traces: await Promise.all(paths.map(request)) };
      }),
    );
    for (const { form, traces } of forms) {
      const [native, own] = traces.map(summarize);
      expect(native?.length).toBeGreaterThan(2);
      expect({ form, steps: own }).toEqual({ form, steps: native });
      traces.forEach(expectSlow);
    }
  },
);

test('a step ends immediately if the function returns a promise of Bluebird that has already settled', async () => {
  const known = step(await request('/bluebird/known/x'), 'getKnown');
  expect(known.outputs).toEqual({ id: 'known' });
  expect(known.metadata).toBeUndefined();
  const refused = step(await request('/bluebird/refused/x'), 'failNow');
  expect(refused.error?.message).toBe('refused now');
  expect(refused.metadata).toBeUndefined();
});

test('a step whose promise of Bluebird has not settled when the request ends is unfinished', async () => {
  const { outputs, metadata } = step(await request('/bluebird/never/x'), 'getNever');
  expect(outputs).toBeUndefined();
  expect(metadata).toEqual({ unfinished: true });
});

test('aggregated calls that return promises of Bluebird end when these promises settle', async () => {
  const { flow } = await request('/bluebird/many/m');
  const calls = flow.filter(({ stepName }) => stepName === 'getAll');
  expect(calls.length).toBeLessThan(40);
  for (const { duration } of calls) expect(duration).toBeGreaterThan(SLOW_MS);
  expect(calls.reduce((sum, { duration }) => sum + duration, 0)).toBeGreaterThan(40 * SLOW_MS);
});

test.each(['coroutine', 'promisify', 'method', 'mapped', 'adopted'])(
  '%s: a function that returns the promise has its value and its duration',
  async (form) => {
    const { outputs, metadata, duration } = step(await request(`/own/${form}/x`), `own.${form}`);
    expect(outputs).toEqual({ id: 'x' });
    expect(metadata).toBeUndefined();
    expect(duration).toBeGreaterThan(SLOW_MS);
  },
);

test('a step whose promise is cancelled ends at that time, without a value', async () => {
  const { outputs, error, metadata, duration } = step(await request('/late/cancelled/x'), 'waitLong');
  expect(duration).toBeGreaterThan(SLOW_MS);
  expect({ outputs, error, metadata }).toEqual({});
});

test('a program that observes its promises of Bluebird notices the same events in the same order, with and without the SDK', async () => {
  const plain = new App('bluebird/behaviour.js', { collector: undefined });
  const traced = new App('bluebird/behaviour.js', { collector: collector.url });
  try {
    const observe = async (observed: App) => (await fetch(`${await observed.ready()}/events`)).text();
    const [expected, events] = await Promise.all([observe(plain), observe(traced)]);
    expect(expected.split('\n').length).toBeGreaterThan(100);
    expect(events).toBe(expected);
  } finally {
    await Promise.all([plain.stop('SIGKILL'), traced.stop('SIGKILL')]);
  }
});
