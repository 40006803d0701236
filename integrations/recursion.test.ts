import { Collector } from '@throughline/testkit/collector';
import { afterEach, expect, test } from 'vitest';
import { App } from './harness/app.ts';

const collector = new Collector();
let app: App | undefined;

afterEach(async () => {
  await app?.stop();
  await collector.stop();
});

test.each(['idle', 'recorded'])(
  'recursion through a list of 7,000 nodes does not overflow the stack in an instrumented function (%s)',
  async (when) => {
    app = new App('recursion/app.js', { collector: await collector.start(), env: { WHEN: when } });
    const answer = await fetch(await app.ready());
    expect(await answer.text()).toBe(String((7000 * 6999) / 2));
    expect((await collector.trace('/')).error.hasError).toBe(false);
  },
);
