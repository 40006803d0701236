import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { root } from '../harness/server/places.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder } from '../harness/traces/traces.ts';

/** Every parameter that a page behind the login reads, by its declaration. */
const PARAMETERS = readDeclaredParameters();
/** Parameters that take one of a few words, a number or an instant: any other text is as if it were not there. */
const STRICT =
  'status method code statusClass services callers users country stepType stepStatus minCalls requests minSteps maxSteps from to min max exclude view kind only start end last compare project'.split(
    ' ',
  );
const ODD = ['', '-1', '\u0000', '💥 ünï', '{"a":[1]}', '%', '../../api', 'x'.repeat(200)];
/** The other pages are tried in `test:long`: they read few of the parameters. */
const PAGES = {
  '': ['/dashboard', '/analytics'],
  '@long': ['/raw-traces', '/projects', '/billing', '/settings'],
};

const buildAddress = (path: string, names: readonly string[], value: string) =>
  `${path}?${new URLSearchParams(names.map((name) => [name, value]))}`;

/** The names in the two schemas of search-params.ts. */
function readDeclaredParameters(): readonly string[] {
  const source = readFileSync(join(root, 'apps/dashboard/src/shell/url-state/search-params.ts'), 'utf8');
  const schemas = source.slice(
    source.indexOf('export const TraceFilterParams'),
    source.indexOf('export type ViewParams'),
  );
  return [...schemas.matchAll(/^ {2}(\w+)[:,]/gm)].map(([, name = '']) => name);
}

/** The page is drawn, and nothing of it failed. */
async function expectPage(page: Page, what: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }), what).toBeVisible();
  await expect(page.getByRole('main').locator('[aria-busy="true"]'), what).toHaveCount(0);
  await expect(page.getByText(/could not be (loaded|read)|Unexpected Application Error/), what).toHaveCount(
    0,
  );
}

test('the declared parameters are found, and each strict one is among them', () => {
  expect(PARAMETERS).toEqual(expect.arrayContaining([...STRICT, 'q', 'trace', 'step', 'find', 'tab']));
  expect(new Set(PARAMETERS).size).toBe(PARAMETERS.length);
});

for (const [tag, paths] of Object.entries(PAGES))
  for (const path of paths)
    test(`${path} is drawn whatever its address says`, { tag: tag === '' ? [] : [tag] }, async ({
      page,
      ada,
    }) => {
      await signUpWithTraces(page, ada, [failedOrder(new Date())]);
      const names = PARAMETERS.filter((name) => name !== 'trace');
      for (const value of ODD) {
        await page.goto(buildAddress(path, names, value));
        await expectPage(page, `${path}, everything ${JSON.stringify(value.slice(0, 20))}`);
      }
      await page.goto(`${path}?status=error&status=success&status=all&q=a&q=`);
      await expectPage(page, `${path}, twice the same`);
    });

test('a word that a filter does not have hides no request, and one that finds none can be taken back', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  for (const path of ['/dashboard', '/raw-traces']) {
    for (const value of ['all', 'no such word', '']) {
      await page.goto(
        buildAddress(
          path,
          STRICT.filter((name) => name !== 'project'),
          value,
        ),
      );
      await expect(page.getByRole('row', { name: /\/orders\/17/ }), `${path} ${value}`).toBeVisible();
    }
    await page.goto(`${path}?project=all`);
    await expect(page.getByRole('row', { name: /\/orders\/17/ })).toBeVisible();
    await page.goto(buildAddress(path, ['service', 'user', 'route'], 'nobody'));
    await expect(page.getByText('No traces found')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page.getByRole('row', { name: /\/orders\/17/ })).toBeVisible();
  }
});

for (const { path, tag } of [
  { path: '/dashboard', tag: [] },
  { path: '/raw-traces', tag: ['@long'] },
])
  test(`every option of each filter of ${path} is kept over a reload, and All takes it back`, {
    tag,
  }, async ({ page, ada }) => {
    await signUpWithTraces(page, ada, [failedOrder(new Date())]);
    await page.goto(path);
    for (const name of ['Status', 'Method', 'Time']) {
      const select = page.getByRole('combobox', { name, exact: true });
      const options = await select.locator('option').evaluateAll((all) => all.map((one) => one.textContent));
      for (const option of options.slice(1)) {
        await select.selectOption({ label: option ?? '' });
        await page.reload();
        await expect(select).not.toHaveValue('all');
        await expectPage(page, `${path}, ${name} ${option}`);
      }
      await select.selectOption('all');
      await expect(page.getByRole('row', { name: /\/orders\/17/ })).toBeVisible();
    }
  });

test('an open trace whose address is wrong says so, and closes', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  for (const trace of ['no-such-trace', '.', '..', '../projects', '00000000-0000-7000-8000-000000000000']) {
    await page.goto(`/dashboard?trace=${encodeURIComponent(trace)}`);
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(/not found|No such trace|There is no such|could not be loaded/);
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('row', { name: /\/orders\/17/ })).toBeVisible();
  }
});

test('the pages for visitors are drawn whatever their addresses say', async ({ page }) => {
  for (const value of ['all', '\u0000', '{"a":[1]}']) {
    for (const path of [
      '/',
      '/login',
      '/register',
      '/reset-password',
      '/verify-email',
      '/public',
      '/invite/x',
    ]) {
      await page.goto(buildAddress(path, ['from', 'type', 'token', 'accept', 'status', 'method'], value));
      const what = `${path}, everything ${JSON.stringify(value.slice(0, 20))}`;
      await expect(page.getByRole('heading').first(), what).toBeVisible();
      await expect(page.getByText('Unexpected Application Error'), what).toHaveCount(0);
    }
  }
});
