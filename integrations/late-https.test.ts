import { Collector } from '@throughline/testkit/collector';
import { expect, test } from 'vitest';
import { App, appNodeVersion } from './harness/app.ts';

const [major = 0, minor = 0] = appNodeVersion.split('.').map(Number);
/** True if Node reports when a built-in module is loaded. In older versions the SDK loads `https` itself. */
const tellsLoads = major > 22 || (major === 22 && minor >= 15);
const loadingWays = ['require', 'import', ...(tellsLoads ? ['builtin'] : [])];

test.each(loadingWays)(
  'the SDK does not load https itself, but traces https requests once the host has loaded https by %s',
  async (way) => {
    const collector = new Collector();
    const app = new App('late-https/app.js', { collector: await collector.start(), args: [way] });
    try {
      const answer = await (await fetch(`${await app.ready()}/ask`)).json();
      expect(answer).toEqual({ before: !tellsLoads, text: 'secret' });
      const trace = await collector.trace('/ask');
      const [call, ...more] = trace.flow.filter(({ stepType }) => stepType === 'http');
      expect(more).toEqual([]);
      expect(call).toMatchObject({ metadata: { statusCode: 200 } });
      expect(call?.stepName).toMatch(/^GET localhost:\d+\/safe$/);
      // The server that receives the call has a trace of its own, which continues the trace of the client's call.
      const served = await collector.trace('/safe');
      expect(served.traceId).toBe(trace.traceId);
    } finally {
      await app.stop();
      await collector.stop();
    }
  },
);
