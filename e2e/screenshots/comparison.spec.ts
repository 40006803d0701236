import { expect, test } from '@playwright/test';
import { ada } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { reportTrace } from '../harness/traces/report-trace.ts';
import { shoot } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

test('screenshots show the comparison of a failed request with a successful request', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: product.url });
  const now = Date.now();
  await signUpWithTraces(page, ada, [
    checkoutTrace({ at: new Date(now - 1000), country: 'UK', user: 'u-9' }),
    checkoutTrace({ at: new Date(now - 60_000), country: 'GB', user: 'u-1' }),
    checkoutTrace({ at: new Date(now - 90_000), country: 'DE', user: 'u-2' }),
  ]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await page.getByRole('link', { name: 'Open as page' }).click();
  await expect(page.getByRole('tree', { name: 'Steps' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'What stands out' }).getByRole('listitem')).toHaveCount(2);
  await shoot(page, 'failed-checkout');
  await page.getByRole('button', { name: 'Compare with a successful request' }).click();
  await expect(page.getByRole('region', { name: 'Comparison' })).toBeVisible();
  await shoot(page, 'comparison');
});

test('a screenshot shows what stands out in a slow request', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: product.url });
  const now = Date.now();
  const usual = Array.from({ length: 6 }, (_, at) =>
    reportTrace({ startedAt: new Date(now - 20_000 - at * 1000), days: 3, queryMs: 2 }),
  );
  await signUpWithTraces(page, { ...ada, email: 'slow@example.com' }, [
    ...usual,
    reportTrace({ startedAt: new Date(now - 1000), days: 120, queryMs: 20 }),
  ]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await expect(page.getByRole('region', { name: 'What stands out' }).getByRole('listitem')).toHaveCount(2);
  await shoot(page, 'slow-report');
});
