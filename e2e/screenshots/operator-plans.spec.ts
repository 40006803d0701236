import { test } from '@playwright/test';
import { foundOrganization } from '../harness/people/organizations.ts';
import { ada } from '../harness/people/people.ts';
import { type Product, runCommand, startServer } from '../harness/server/product.ts';
import { shoot, shootWhole } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer({ BILLING_SANDBOX: 'off' });
});
test.afterAll(() => product.stop());

test('screenshots show the billing page of a server without payments', async ({ browser }) => {
  const page = await (await browser.newContext({ baseURL: product.url })).newPage();
  await foundOrganization(page, ada, 'Analytical Engines');
  await page.goto('/billing');
  const plan = page.getByRole('region', { name: 'Current plan' });
  await shoot(page, 'billing-by-operator', plan);
  await shootWhole(page, 'billing-by-operator-whole');
  await runCommand(product, ['plan', 'set', '--organization', 'analytical-engines', '--plan', 'pro']);
  await shoot(page, 'billing-by-operator-pro', plan);
});
