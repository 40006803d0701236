import { expect, test } from '@playwright/test';
import { ada } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { shoot } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

test('a failed request beside a success', async ({ browser }) => {
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
  await shoot(page, 'failed-checkout');
  await page.getByRole('button', { name: 'Compare with a good request' }).click();
  await expect(page.getByRole('region', { name: 'Comparison' })).toBeVisible();
  await shoot(page, 'comparison');
});
