import { Collector } from '@throughline/testkit/collector';
import type { PostedStep, PostedTrace } from '@throughline/testkit/posted';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { step } from './harness/trees.ts';

const collector = new Collector();
let app: App;
let url: string;

beforeAll(async () => {
  app = new App('logs/app.js', { collector: await collector.start(), env: { THROUGHLINE_LOGS: '1' } });
  url = await app.ready();
});
afterAll(async () => {
  await app.stop();
  await collector.stop();
});

async function ask(path: string): Promise<{ trace: PostedTrace; lines: PostedStep[] }> {
  await (await fetch(url + path)).text();
  const trace = await collector.trace(path);
  return { trace, lines: trace.flow.filter(({ stepType }) => stepType === 'log') };
}

test('console calls are steps with their arguments', async () => {
  const { trace, lines } = await ask('/console');
  expect(lines.map(({ stepName }) => stepName)).toEqual(['log: order %s', 'warn: careful']);
  expect(lines[0]).toMatchObject({
    parentStepId: step(trace, 'talk').stepId,
    inputs: ['order %s', 'A1', { total: 3, password: { $type: 'redacted' } }],
    metadata: { level: 'log' },
  });
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test('the lines that pino writes are steps with their fields', async () => {
  const { trace, lines } = await ask('/pino');
  expect(lines.map(({ stepName }) => stepName)).toEqual(['info: order placed', 'error: payment failed']);
  expect(lines[0]).toMatchObject({
    parentStepId: step(trace, 'talkPino').stepId,
    inputs: { message: 'order placed', fields: { order: 'A1', token: { $type: 'redacted' } } },
  });
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test('only lines that pass winston’s log level are steps', async () => {
  const { trace, lines } = await ask('/winston');
  expect(lines.map(({ stepName }) => stepName)).toEqual(['warn: order late']);
  expect(lines[0]).toMatchObject({
    parentStepId: step(trace, 'talkWinston').stepId,
    inputs: { message: 'order late', order: 'A1' },
  });
});

test('log lines are steps only if the option logs is set', async () => {
  const quiet = new Collector();
  const other = new App('logs/app.js', { collector: await quiet.start() });
  const address = await other.ready();
  for (const path of ['/console', '/pino', '/winston']) await (await fetch(address + path)).text();
  for (const path of ['/console', '/pino', '/winston']) {
    const trace = await quiet.trace(path);
    expect(trace.flow.filter(({ stepType }) => stepType === 'log')).toEqual([]);
  }
  await other.stop();
  await quiet.stop();
});
