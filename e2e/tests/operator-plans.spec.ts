import { test as base, expect } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import { planNow } from '../harness/pages/billing-page.ts';
import { foundOrganization } from '../harness/people/organizations.ts';
import { ada } from '../harness/people/people.ts';
import { type Product, runCommand, startServer } from '../harness/server/product.ts';

const test = base.extend<{ readonly product: Product }>({
  // Playwright reads what a fixture needs from its first parameter's pattern.
  // biome-ignore lint/correctness/noEmptyPattern: it needs nothing
  product: async ({}, use) => {
    const product = await startServer({ BILLING_SANDBOX: 'off' });
    await use(product);
    await product.stop();
  },
  baseURL: async ({ product }, use) => {
    await use(product.url);
  },
});

test('without payments, the billing page refers to the operator, who sets plans on the command line @long', async ({
  page,
  product,
}) => {
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Features' })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('$149');
  await foundOrganization(page, ada, 'Analytical Engines');
  await page.goto('/billing');
  await expect(planNow(page).getByRole('heading', { name: 'Free Trial' })).toBeVisible();
  await expect(planNow(page)).toContainText('The operator of this server sets plans');
  await expect(page.getByRole('button', { name: /^(Upgrade|Change|Cancel|Pay|Free)/ })).toHaveCount(0);
  await expect(page.getByRole('main')).not.toContainText('$');
  await expectNoViolation(page, 'the billing page of a server without payments');

  await runCommand(product, ['plan', 'set', '--organization', 'analytical-engines', '--plan', 'pro']);
  await page.reload();
  await expect(planNow(page).getByRole('heading', { name: 'Pro' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Upgrade|Change|Cancel|Pay|Free)/ })).toHaveCount(0);
});
