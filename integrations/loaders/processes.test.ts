import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Collector } from '@throughline/testkit/collector';
import { pickRows } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { App } from '../harness/app.ts';
import { findLine, step, tree } from '../harness/trees.ts';

let collector: Collector;
let address: string;
let app: App | undefined;

beforeEach(async () => {
  collector = new Collector();
  address = await collector.start();
});
afterEach(async () => {
  await app?.stop();
  app = undefined;
  await collector.stop();
});

/** Waits until `count` traces of a path have arrived. Returns, for each of these traces, the id of the process that recorded the trace. */
async function instances(path: string, count: number): Promise<unknown[]> {
  await collector.awaitTraces(path, count);
  return collector.bodies.flatMap(({ service, traces }) =>
    traces.filter(({ request }) => request.path === path).map(() => service.instance),
  );
}

const flags = [
  ['--import', ['--import', '@throughline/node/auto'], {}],
  ['--require', ['--require', '@throughline/node/auto'], {}],
  ['init()', [], { INIT: '1' }],
] as const;

describe.each(pickRows(flags, { usually: 1 }))('a cluster, by %s', (_name, preload, env) => {
  test('each worker traces the requests that it serves', async () => {
    app = new App('processes/cluster.js', { collector: address, flags: preload, env });
    const url = await app.ready();
    const texts = await Promise.all(
      Array.from({ length: 8 }, async () => (await fetch(`${url}/cluster`)).text()),
    );
    expect(new Set(texts)).toEqual(new Set(['hello from worker 1', 'hello from worker 2']));
    expect(new Set(await instances('/cluster', 8)).size).toBe(2);
    for (const trace of collector.traces) {
      expect(tree(trace)).toEqual([['handle', 'answer']]);
      expect(step(trace, 'answer')).toMatchObject({
        filePath: 'serve.js',
        lineNumber: findLine('processes/serve.js', 'function answer'),
        variables: { localVariables: { text: trace.response.body } },
      });
    }
  });
});

test.each(pickRows(flags.slice(0, 2), { usually: 1 }))(
  'an app that a process manager forks with its own flags is traced, by %s',
  async (_name, preload) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'throughline-manager-')));
    try {
      mkdirSync(join(folder, 'node_modules', 'manager'), { recursive: true });
      const container = join(folder, 'node_modules', 'manager', 'container.js');
      writeFileSync(
        container,
        "process.argv[1] = process.env.APP; require('node:module')._load(process.env.APP, null, true);",
      );
      app = new App('processes/fork.js', {
        collector: address,
        flags: preload,
        env: { CONTAINER: container },
      });
      await (await fetch(`${await app.ready()}/forked`)).text();
      const trace = await collector.trace('/forked');
      expect(tree(trace)).toEqual([['handle', 'answer']]);
      expect(step(trace, 'answer').filePath).toBe('serve.js');
      expect(collector.bodies[0]?.service).toMatchObject({ name: 'fixture-processes', version: '1.2.3' });
      expect(await app.stop()).toMatchObject({ signal: 'SIGTERM', stderr: '' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

describe.each(pickRows(flags.slice(0, 2), { usually: 1 }))('worker threads, by %s', (_name, preload) => {
  test('a worker thread traces its own requests; work that it does for a request of another thread is not in the trace of that request', async () => {
    app = new App('processes/threads.js', { collector: address, flags: preload });
    const answer: { result: number; port: number } = JSON.parse(
      await (await fetch(`${await app.ready()}/main`)).text(),
    );
    expect(answer).toMatchObject({ result: 42 });
    const main = await collector.trace('/main');
    expect(main.flow.map(({ stepName }) => stepName)).not.toContain('double');
    expect(tree(main)).toEqual([
      ['handle', ['ask', 'new Promise() callback'], ['ask', 'new Promise() callback']],
    ]);
    const { port } = answer;
    expect(await (await fetch(`http://127.0.0.1:${port}/thread`)).text()).toBe('hello from thread');
    const thread = await collector.trace('/thread');
    expect(tree(thread)).toEqual([['handle', 'answer']]);
    const [mainInstance] = await instances('/main', 1);
    const [threadInstance] = await instances('/thread', 1);
    expect(`${threadInstance}`.replace(/\/[1-9]$/, '')).toBe(mainInstance);
    expect(threadInstance).not.toBe(mainInstance);
    expect(app.stderr).toBe('');
  });
});

test('with debug, one line reports the start of a worker thread and says which requests the thread traces', async () => {
  app = new App('processes/threads.js', { collector: address, env: { THROUGHLINE_DEBUG: '1' } });
  await app.ready();
  expect((await app.stop()).stderr).toContain(
    "a worker thread was started: requests that the worker serves itself are traced, each as a separate trace; the work of the worker for a request of this thread is not in that request's trace",
  );
});
