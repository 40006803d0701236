import { gzipSync } from 'node:zlib';
import { createClient, IngestAnswer, routes } from '@throughline/contract';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { startServerProcess } from '../lib/server-process.ts';
import { checkBuilt, launchChromium, openPage } from './page.ts';
import { requestOfSteps } from './traces.ts';
import { traceOfSteps } from './views.ts';

test.runIf(isThorough())(
  'every view of a trace that bench:ui measures is found on the built dashboard',
  async () => {
    checkBuilt();
    const server = await startServerProcess(['--liftoff-only']);
    try {
      const sent = await fetch(`${server.url}/api/ingest/traces`, {
        method: 'POST',
        headers: {
          'x-api-key': server.apiKey,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body: gzipSync(
          JSON.stringify({ service: { name: 'shop' }, traces: [requestOfSteps(400, Date.now())] }),
        ),
      });
      expect(IngestAnswer.parse(await sent.json()).accepted).toBe(1);
      const owner = createClient({ baseUrl: server.url, fetch, token: () => server.token });
      const { traces } = await owner.call(routes.traces.list, { query: { limit: 1 } });
      const browser = await launchChromium();
      try {
        const noted: Record<string, number> = {};
        const opened = await openPage(browser, server.url, server.token);
        await traceOfSteps(opened, traces[0]?._id ?? '', (name, ms) => {
          noted[name] = ms;
        });
        expect(Object.keys(noted)).toEqual(
          expect.arrayContaining(['open', 'timeline', 'flow', 'longest task']),
        );
        expect(Object.values(noted).every(Number.isFinite)).toBe(true);
      } finally {
        await browser.close();
      }
    } finally {
      await server.removeFolder();
    }
  },
  240_000,
);
