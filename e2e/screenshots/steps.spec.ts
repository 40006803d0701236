import { expect, type Page, test } from '@playwright/test';
import { ada } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { failedOrder, plainRequest } from '../harness/traces/traces.ts';
import { valuesOfEachKind } from '../harness/traces/values-of-each-kind.ts';
import { shoot } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

async function select(page: Page, step: RegExp): Promise<void> {
  await page.getByRole('treeitem', { name: step }).first().click();
  await expect(page.getByRole('region', { name: step }).getByText('Self time')).toBeVisible();
}

test('screenshots show the values of steps, and a list with every filter', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: product.url });
  const now = Date.now();
  const others = Array.from({ length: 30 }, (_, index) =>
    plainRequest(`/parts/${index}`, new Date(now - index * 40_000)),
  );
  await signUpWithTraces(page, ada, [
    valuesOfEachKind(new Date(now)),
    failedOrder(new Date(now - 10_000)),
    ...others,
  ]);
  await page.goto('/dashboard?status=error&code=500&service=orders&route=%2Forders%2F%3Aid');
  await expect(page.getByRole('group', { name: 'Active filters' })).toBeVisible();
  await shoot(page, 'list-narrowed');
  await page.goto('/dashboard');
  const times = page.getByRole('application', { name: /^Requests over time/ });
  await times.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Paused')).toBeVisible();
  await shoot(page, 'list-chosen');
  await page.goto('/dashboard');
  await page.getByRole('row', { name: /\/every-kind/ }).click();
  for (const [name, step] of [
    ['error', /priceOf/],
    ['values', /everyKind/],
    ['query', /SELECT/],
    ['call', /pay\.example/],
    ['repeat', /loadPart/],
  ] as const) {
    await select(page, step);
    if (name === 'call') await page.getByText('As cURL').click();
    await shoot(page, `step-${name}`);
  }
  await page.getByRole('button', { name: 'Zoom in (key +)' }).click();
  await shoot(page, 'step-zoomed');
  await page.keyboard.press('?');
  await shoot(page, 'keys');
});
