import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Collector } from '@throughline/testkit/collector';
import { pickRows } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { App, type End } from './harness/app.ts';

const fixture = join(import.meta.dirname, 'fixtures', 'test-runner');
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

let collector: Collector;
let address: string;

beforeEach(async () => {
  collector = new Collector();
  address = await collector.start();
});
afterEach(() => collector.stop());

function runVitest(env: NodeJS.ProcessEnv): Promise<End> {
  const args = ['run', '--root', fixture, '--pool', 'forks', '--dir', fixture, 'orders.check.js'];
  return new App(vitest, {
    collector: address,
    flags: [],
    args: [...args, '--config', join(fixture, 'vitest.config.js')],
    cwd: fixture,
    env: { NODE_OPTIONS: '--import @throughline/node/auto', ...env },
  }).ended;
}

const listMessages = (end: End) => end.stderr.split('\n').filter((line) => line.startsWith('[throughline]'));

describe("the host's tests that vitest runs", () => {
  test('are not traced, and one line names the option that traces tests', async () => {
    const end = await runVitest({});
    expect(end).toMatchObject({ code: 0 });
    expect(new Set(listMessages(end))).toEqual(
      new Set(['[throughline] this is vitest: nothing is traced; THROUGHLINE_TESTS=1 traces tests']),
    );
    expect(collector.received).toEqual([]);
  });

  test('are traced if THROUGHLINE_TESTS=1 is set', async () => {
    expect(await runVitest({ THROUGHLINE_TESTS: '1' })).toMatchObject({ code: 0 });
    expect(await collector.trace('/17')).toMatchObject({ response: { statusCode: 200 } });
  });
});

test.each(
  pickRows(
    [
      ['1', 1],
      ['2', 0],
    ],
    { usually: 1 },
  ),
)('a service in worker %s of jest is not traced', async (worker, lines) => {
  const app = new App('test-runner/app.js', { collector: address, env: { JEST_WORKER_ID: worker } });
  expect((await fetch(`${await app.ready()}/17`)).status).toBe(200);
  expect(listMessages(await app.stop())).toHaveLength(lines);
  expect(collector.received).toEqual([]);
});
