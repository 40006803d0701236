import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { createProject, readClipboard, register } from '../harness/people/people.ts';
import { pinnedPath } from '../harness/server/places.ts';
import { startProcess } from '../harness/server/process.ts';
import { freePort } from '../harness/server/product.ts';
import { test } from '../harness/server/worker-server.ts';

const run = promisify(execFile);
const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));

for (const kind of ['commonjs', 'esm']) {
  test(`an app of the user (${kind}) is traced with the commands that the page shows, and its trace arrives${kind === 'esm' ? '' : ' @long'}`, async ({
    page,
    context,
    product,
    ada,
  }) => {
    test.setTimeout(240_000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await register(page, ada);
    await createProject(page, 'quotes');
    await page.getByRole('button', { name: 'Manage API Key' }).click();
    await page.getByRole('button', { name: 'Copy API key' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    const apiKey = await readClipboard(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();

    const copyLine = async (button: string, expected: string) => {
      await page.getByRole('button', { name: button }).click();
      await expect.poll(() => readClipboard(page)).toContain(expected);
      return readClipboard(page);
    };
    const install = await copyLine('Copy install command', `npm i ${product.url}/sdk/throughline-node.tgz`);
    const start = await copyLine('Copy start command', `THROUGHLINE_API_KEY=${apiKey} `);

    await page.getByRole('link', { name: 'Dashboard' }).click();
    const waiting = page.getByRole('region', { name: 'Waiting for your first trace' });
    await expect(waiting).toContainText('Waiting for your first trace…');
    await page.evaluate(() => Object.assign(window, { stillTheSamePage: true }));

    await runOutside(kind, { install, start }, async (url) => {
      const answer = await fetch(`${url}/quotes/acme?currency=EUR`);
      expect(await answer.json()).toEqual({ symbol: 'ACME', cents: 4170, currency: 'EUR' });
      await expect(waiting).toContainText('received');
    });

    expect(await page.evaluate(() => 'stillTheSamePage' in window)).toBe(true);
    await waiting.getByRole('link', { name: 'Open the trace' }).click();
    const details = page.getByRole('dialog', { name: 'Trace details' });
    await expect(details).toContainText('/quotes/acme');
    const steps = details.getByRole('tree', { name: 'Steps' });
    await expect(steps.getByRole('treeitem', { name: /quoteFor/ })).toBeVisible();
    await steps.getByRole('treeitem', { name: /priceOf/ }).click();
    const step = details.getByRole('region', { name: /^Step \d+: priceOf$/ });
    await expect(step).toContainText('quotes/price.js:5');
    await expect(step.getByRole('tree', { name: 'Parameters' })).toContainText('"ACME"');
    const source = step.getByRole('list', { name: 'Source of priceOf' });
    await expect(
      source.getByRole('listitem').filter({ hasText: 'const cents = sum * FACTOR;' }),
    ).toContainText('sum 278');
    const locals = step.getByRole('tree', { name: 'Local variables' });
    await expect(locals.getByRole('treeitem', { name: /sum\W*278/ })).toBeVisible();
    await expect(locals.getByRole('treeitem', { name: /cents\W*4170/ })).toBeVisible();
  });
}

/** The settings that npm needs to reach a registry. */
const REACHING = Object.fromEntries(
  ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/** Copies the app into a folder outside this repository. Installs and starts the copy with the commands that the page shows. */
async function runOutside(
  kind: string,
  lines: { readonly install: string; readonly start: string },
  use: (url: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'own-app-'));
  const port = await freePort();
  const env = {
    PATH: pinnedPath,
    HOME: process.env.HOME,
    ...REACHING,
    PORT: String(port),
    npm_config_prefer_offline: 'true',
  };
  try {
    await cp(join(FIXTURES, kind), folder, { recursive: true });
    await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, env });
    await run('sh', ['-c', lines.install], { cwd: folder, env });
    // `exec env` replaces the shell, so that a signal reaches the app. `env` accepts settings before the command.
    const app = startProcess('sh', ['-c', `exec env ${lines.start}`], { cwd: folder, env });
    try {
      await app.printed(/listening/);
      await use(`http://127.0.0.1:${port}`);
    } finally {
      await app.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
