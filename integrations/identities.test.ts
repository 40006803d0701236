import { Collector } from '@throughline/testkit/collector';
import { afterEach, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { tree } from './harness/trees.ts';

const running: App[] = [];

afterEach(async () => {
  for (const app of running.splice(0)) await app.stop();
});

async function ask(script: string, to: string | undefined): Promise<unknown> {
  const app = new App(`identities/${script}`, { collector: to });
  running.push(app);
  return (await fetch(await app.ready())).json();
}

test.each([
  ['hapi.cjs', ['tagRequest', 'loadShop', ['answer', 'server.table().every() callback']]],
  ['fastify.cjs', ['tagRequest', 'check', 'answer']],
])(
  'the host %s gets its own functions back from its framework, as without the SDK',
  async (script, steps) => {
    const collector = new Collector();
    const plain = await ask(script, undefined);
    const traced = await ask(script, await collector.start());
    expect(JSON.stringify(plain)).toMatch(/true|answer/);
    expect(traced).toEqual(plain);
    expect(tree(await collector.trace('/'))).toEqual(steps);
    await collector.stop();
  },
);
