import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { Collector, type PostedStep, type PostedTrace } from './harness/collector.ts';

/** The steps as a tree of names. */
function tree(trace: PostedTrace, parent: string | null = null): unknown[] {
  return trace.flow
    .filter((step) => step.parentStepId === parent)
    .map((step) => {
      const below = tree(trace, step.stepId);
      return below.length === 0 ? step.stepName : [step.stepName, ...below];
    });
}

function step(trace: PostedTrace, name: string): PostedStep {
  const found = trace.flow.find((candidate) => candidate.stepName === name);
  if (found === undefined)
    throw new Error(`no step ${name} in ${trace.flow.map((one) => one.stepName).join(', ')}`);
  return found;
}

/** The line of a fixture that holds `text`. */
function lineOf(file: string, text: string): number {
  const lines = readFileSync(join(import.meta.dirname, 'fixtures', file), 'utf8').split('\n');
  return lines.findIndex((line) => line.includes(text)) + 1;
}

describe.each([
  ['Express 5, CommonJS, --require', 'express5-cjs', ['--require', '@throughline/node/auto'], {}],
  ['Express 5, ES modules, --import', 'express5-esm', ['--import', '@throughline/node/auto'], {}],
  [
    'Express 4 under an alias',
    'express5-cjs',
    ['--import', '@throughline/node/auto'],
    { EXPRESS: 'express4' },
  ],
])('%s', (_name, fixture, flags, env) => {
  const collector = new Collector();
  let app: App;
  let url: string;

  beforeAll(async () => {
    app = new App(`${fixture}/app.js`, { collector: await collector.start(), flags, env });
    url = await app.ready();
  });
  afterAll(async () => {
    await app.stop();
    await collector.stop();
  });

  async function ask(path: string, init?: RequestInit): Promise<PostedTrace> {
    await (await fetch(url + path, init)).text();
    return collector.trace(path);
  }

  test('debug', async () => {
    await ask('/orders/corner', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        items: [
          { sku: 'tea', quantity: 2 },
          { sku: 'cup', quantity: 1 },
        ],
      }),
    });
    const t = await collector.trace('/orders/corner');
    console.log(JSON.stringify(tree(t)), JSON.stringify(t, null, 1).slice(0, 6000), app.stderr);
    expect(lineOf(`${fixture}/lib/orders.js`, 'function priceOf')).toBeGreaterThan(0);
    step(t, 'placeOrder');
  });
});
