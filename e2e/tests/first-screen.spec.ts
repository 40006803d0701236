import { gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { test } from '../harness/server/worker-server.ts';

const MAX_BYTES = 250_000;

test('the scripts that the page loads before the first screen take at most 250 kB', async ({ request }) => {
  const html = await (await request.get('/')).text();
  const scripts = [...new Set(html.match(/\/assets\/[^"]+\.js/g))];
  expect(scripts).not.toEqual([]);
  const sizes = await Promise.all(
    scripts.map(async (path) => {
      const script = await (await request.get(path)).body();
      return [path, gzipSync(script, { level: 9 }).length] as const;
    }),
  );
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(bytes, sizes.map(([path, size]) => `${size} ${path}`).join('\n')).toBeLessThanOrEqual(MAX_BYTES);
});
