import { expect, type Page } from '@playwright/test';
import {
  isStrict,
  listValues,
  listWords,
  readRouterSchemas,
  SIGNED_OUT_PAGE_PARAMS,
  VIEW_PARAMS,
} from '../harness/pages/address-params.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder } from '../harness/traces/traces.ts';

/** Every parameter of the pages behind the login. */
const PARAMETERS = Object.keys(VIEW_PARAMS);
/** Parameters that a list ignores if their values are invalid. */
const STRICT = PARAMETERS.filter(isStrict);
/**
 * URLs that together contain every value of every parameter, several per URL. Leaves out `trace`, because an open trace would cover the
 * page.
 */
const OFFERED = combineValues(PARAMETERS.filter((name) => name !== 'trace'));
const ODD = ['', '-1', '\u0000', '💥 ünï', '{"a":[1]}', '%/../../api', 'x'.repeat(200)];
/** The pages that read most of the parameters. `test:long` tests the other pages. */
const PAGES = ['/dashboard', '/analytics', '/errors', '/raw-traces', '/projects', '/billing', '/settings'];

const buildAddress = (path: string, names: readonly string[], value: string) =>
  `${path}?${new URLSearchParams(names.map((name) => [name, value]))}`;

function combineValues(names: readonly string[]): readonly string[] {
  const count = Math.max(...names.map((name) => listValues(name).length));
  return Array.from({ length: count }, (_, round) =>
    new URLSearchParams(
      names.map((name) => {
        const values = listValues(name);
        return [name, values[round % values.length] ?? ''];
      }),
    ).toString(),
  );
}

/** Checks that the page is drawn and that no part of it failed. */
async function expectPage(page: Page, what: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }), what).toBeVisible();
  await expect(page.getByRole('main').locator('[aria-busy="true"]'), what).toHaveCount(0);
  await expect(page.getByText(/could not be (loaded|read)|Unexpected Application Error/), what).toHaveCount(
    0,
  );
}

test('every URL parameter of the router has test values that its schema accepts', () => {
  for (const name of PARAMETERS) {
    expect(listValues(name), `${name} has no row in address-params.ts`).not.toEqual([]);
    for (const value of listValues(name)) expect(VIEW_PARAMS[name]?.parse(value), name).toBe(value);
  }
  const known = Object.keys(SIGNED_OUT_PAGE_PARAMS).filter((path) => path !== '/public/$id');
  expect([...readRouterSchemas()].sort()).toEqual(
    ['PublicParams', 'ViewParams', ...known.map((path) => `SIGNED_OUT_PARAMS['${path}']`)].sort(),
  );
});

for (const path of PAGES)
  test(`${path} is drawn with any parameters in its URL @long`, async ({ page, ada }) => {
    await signUpWithTraces(page, ada, [failedOrder(new Date())]);
    const names = PARAMETERS.filter((name) => name !== 'trace');
    for (const value of ODD) {
      await page.goto(buildAddress(path, names, value));
      await expectPage(page, `${path}, everything ${JSON.stringify(value.slice(0, 20))}`);
    }
    for (const search of OFFERED) {
      await page.goto(`${path}?${search}`);
      await expectPage(page, `${path}?${search}`);
    }
    const kept = new URL(page.url()).searchParams;
    expect(kept.get('exclude')).toBe(new URLSearchParams(OFFERED.at(-1)).get('exclude'));
    await page.goto(`${path}?status=error&status=success&status=all&q=a&q=`);
    await expectPage(page, `${path}, twice the same`);
  });

const LISTS = [
  { path: '/dashboard', tag: [] },
  { path: '/raw-traces', tag: ['@long'] },
];

for (const { path } of LISTS)
  test(`${path} ignores an unknown filter value in the URL, and a filter without matches can be cleared @long`, async ({
    page,
    ada,
  }) => {
    await signUpWithTraces(page, ada, [failedOrder(new Date())]);
    for (const value of ['all', 'no such word', '']) {
      await page.goto(buildAddress(path, STRICT, value));
      await expect(page.getByRole('row', { name: /\/orders\/17/ }), `${path} ${value}`).toBeVisible();
    }
    await page.goto(`${path}?project=all`);
    await expect(page.getByRole('row', { name: /\/orders\/17/ })).toBeVisible();
    await page.goto(buildAddress(path, ['service', 'user', 'route'], 'nobody'));
    await expect(page.getByText('No traces found')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page.getByRole('row', { name: /\/orders\/17/ })).toBeVisible();
  });

for (const { path, tag } of LISTS)
  test(`every status and every method selected in ${path} is kept over a reload, and the option "All" clears the filter`, {
    tag,
  }, async ({ page, ada }) => {
    await signUpWithTraces(page, ada, [failedOrder(new Date())]);
    await page.goto(path);
    const selects = ['Status', 'Method'].map((name) => page.getByRole('combobox', { name, exact: true }));
    const offered = await Promise.all(
      selects.map((select) =>
        select.locator('option').evaluateAll((all) => all.slice(1).map((one) => one.textContent)),
      ),
    );
    // Each reload shows one option of every select.
    for (let round = 0; round < Math.max(...offered.map(({ length }) => length)); round++) {
      for (const [place, select] of selects.entries()) {
        const options = offered[place] ?? [];
        await select.selectOption({ label: options[round % options.length] ?? '' });
        await expect(select).not.toHaveValue('all');
      }
      await page.reload();
      for (const select of selects) await expect(select).not.toHaveValue('all');
      await expectPage(page, `${path}, round ${round}`);
    }
    for (const select of selects) await select.selectOption('all');
    await expect(page.getByRole('row', { name: /\/orders\/17/ })).toBeVisible();
  });

test('an invalid trace id in the URL shows an error that can be closed @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  for (const trace of ['no-such-trace', '.', '..', '../projects', '00000000-0000-7000-8000-000000000000']) {
    await page.goto(`/dashboard?trace=${encodeURIComponent(trace)}`);
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('There is no such trace here');
    await expect(dialog.getByRole('button', { name: 'Try Again' })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('row', { name: /\/orders\/17/ })).toBeVisible();
  }
});

test('the signed-out pages are drawn for any URL parameters @long', async ({ page }) => {
  const pages = Object.entries(SIGNED_OUT_PAGE_PARAMS).filter(([path]) => path !== '/public/$id');
  const offered = pages.flatMap(([path, params]) =>
    Object.entries(params).flatMap(([name, schema]) =>
      listWords(schema).map((word) => buildAddress(path, [name], word)),
    ),
  );
  expect(offered).toContain('/register?type=solo');
  const odd = ['\u0000', '{"a":[1]}'].flatMap((value) => [
    ...pages.map(([path, params]) => buildAddress(path, Object.keys(params), value)),
    ...['/', '/public'].map((path) => buildAddress(path, ['status', 'method'], value)),
  ]);
  for (const address of [...offered, ...odd]) {
    await page.goto(address.replace('$token', 'x'));
    await expect(page.getByRole('heading').first(), address).toBeVisible();
    await expect(page.getByText('Unexpected Application Error'), address).toHaveCount(0);
  }
});
