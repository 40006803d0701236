import { join } from 'node:path';
import { throughline } from '@throughline/node/plugin';
import { Collector } from '@throughline/testkit/collector';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { App } from '../harness/app.ts';
import { findLine, step } from '../harness/trees.ts';
import { Project } from './project.ts';
import { order } from './shop.ts';

const COMMENT_BYTES = 33 * 1024 * 1024;
const script = 'dist/app.cjs';
const collector = new Collector();
let project: Project;
let app: App;
let url: string;

/** Starts a service whose bundle has a comment of 33 MB. */
beforeAll(async () => {
  project = new Project('ts');
  await build({
    entryPoints: [join(project.folder, 'app.ts')],
    absWorkingDir: project.folder,
    outfile: join(project.folder, script),
    bundle: true,
    platform: 'node',
    packages: 'external',
    sourcemap: true,
    footer: { js: `/*${' '.repeat(COMMENT_BYTES)}*/` },
    logLevel: 'error',
    plugins: [throughline.esbuild({ root: project.folder })],
  });
  app = new App(join(project.folder, script), { collector: await collector.start(), cwd: project.folder });
  url = await app.ready();
});
afterAll(async () => {
  await app.stop();
  await collector.stop();
  project.remove();
});

test("the errors of a service whose bundle is larger than 32 MB show the author's source positions", async () => {
  const expected = `lib/prices.ts:${findLine('loaders/ts/lib/prices.ts', 'throw new UnknownSku')}`;
  let requests = 0;
  await vi.waitFor(
    async () => {
      const shop = `dear-${requests++}`;
      await order(url, shop, [{ sku: 'gold', quantity: 1 }]);
      const { error } = step(await collector.trace(`/orders/${shop}`), 'priceOf');
      expect(error?.stack).toContain(expected);
    },
    { timeout: 60_000 },
  );
  const { error } = step(await collector.trace(`/orders/dear-${requests - 1}`), 'priceOf');
  expect(error?.stack).not.toContain('app.cjs');
});
