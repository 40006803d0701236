import { Collector, type Reply, storeAll } from '@throughline/testkit/collector';
import { isThorough } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { App } from './harness/app.ts';

const REQUESTS = 120;
const AT_A_TIME = 20;

interface Seen {
  readonly steps: readonly string[];
  readonly values: boolean;
}

let collector: Collector;
let app: App | undefined;
/** The data of the received traces, by request path. */
let seen: Map<string, Seen>;

/** Stores only the required data of each trace, because all traces together are large. */
const note: Reply = (response, received, nth) => {
  for (const { request, flow } of received.posted.traces) {
    if (!request.path.startsWith('/report/')) continue;
    const steps = flow.map(({ stepName }) => stepName);
    seen.set(request.path, { steps, values: flow.some(({ outputs }) => outputs !== undefined) });
  }
  storeAll(response, received, nth);
  collector.take();
};

beforeEach(async () => {
  seen = new Map();
  collector = new Collector(note);
  await collector.start();
});
afterEach(async () => {
  await app?.stop();
  await collector.stop();
});

async function load(address: string): Promise<void> {
  let next = 0;
  const requestInTurn = async (): Promise<void> => {
    while (next < REQUESTS) {
      const response = await fetch(`${address}/report/${next++}`);
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, requestInTurn));
}

async function allArrived(): Promise<void> {
  await expect.poll(() => seen.size, { timeout: 60_000 }).toBe(REQUESTS);
  const [first] = seen.values();
  expect(first?.steps).toContain('compute');
  for (const { steps } of seen.values()) expect(steps).toEqual(first?.steps);
}

test.runIf(isThorough())(
  'every trace of a service that is never idle is delivered with all its steps',
  async () => {
    app = new App('busy/app.js', { collector: collector.url });
    await load(await app.ready());
    await allArrived();
    expect([...seen.values()].filter(({ values }) => values).length).toBeGreaterThan(0);
    expect((await app.stop()).stderr).toBe('');
  },
);

test.runIf(isThorough())(
  'every trace of a service that is never idle is delivered if only structure is captured',
  async () => {
    app = new App('busy/app.js', { collector: collector.url, env: { THROUGHLINE_CAPTURE: 'structure' } });
    await load(await app.ready());
    await allArrived();
    expect((await app.stop()).stderr).toBe('');
  },
);

test.runIf(isThorough())(
  'the last traces of a service that is never idle are delivered if a signal ends the service',
  async () => {
    app = new App('busy/app.js', { collector: collector.url });
    await load(await app.ready());
    expect(await app.stop('SIGTERM')).toMatchObject({ signal: 'SIGTERM', stderr: '' });
    await allArrived();
  },
);

test.runIf(isThorough())(
  'the last traces of a service that is never idle are delivered if process.exit ends the service',
  async () => {
    app = new App('busy/app.js', { collector: collector.url });
    const address = await app.ready();
    await load(address);
    await fetch(`${address}/exit`).catch(() => {});
    expect(await app.ended).toMatchObject({ code: 3, stderr: '' });
    await allArrived();
  },
);
