import { expect, type Page, test } from '@playwright/test';
import { ada, grace, registerOrganization } from '../harness/people/people.ts';
import { signUp } from '../harness/people/signed-up.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { shoot } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

const planNow = (page: Page) => page.getByRole('region', { name: 'Current plan' });

test('screenshots show the billing page of an organization from the trial to the cancelled plan', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: product.url });
  await registerOrganization(page, ada, 'Analytical Engines');
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const subscription = '**/api/billing/*/subscription';
  await page.route(subscription, async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto('/billing');
  await expect(page.getByText('Loading billing information')).toBeAttached();
  await shoot(page, 'billing-loading');
  answer();
  await expect(planNow(page)).toContainText('trialing');
  await shoot(page, 'billing-trialing');
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
  await expect(page.getByRole('dialog')).toContainText('Due now');
  await shoot(page, 'billing-upgrade');
  await page.getByRole('button', { name: 'Upgrade Now' }).click();
  await expect(planNow(page)).toContainText('active');
  await shoot(page, 'billing-active');
  await page.getByRole('button', { name: 'End the period with a failed payment' }).click();
  await expect(planNow(page)).toContainText('past due');
  await shoot(page, 'billing-past-due');
  await planNow(page).getByRole('button', { name: 'Pay now' }).click();
  await expect(planNow(page)).toContainText('active');
  await planNow(page).getByRole('button', { name: 'Cancel Subscription' }).click();
  await shoot(page, 'billing-cancel');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Subscription' }).click();
  await expect(planNow(page)).toContainText('then the plan ends');
  await shoot(page, 'billing-ending');
  await page.getByRole('button', { name: 'End the current period' }).click();
  await expect(planNow(page)).toContainText('cancelled');
  await shoot(page, 'billing-cancelled');
});

test('screenshots show the billing page of a solo user', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: product.url });
  await signUp(page, grace);
  const subscription = '**/api/user-billing/subscription';
  await page.route(subscription, (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto('/billing');
  await expect(page.getByText('Failed to load billing information')).toBeVisible();
  await shoot(page, 'billing-failing');
  await page.unroute(subscription);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(planNow(page)).toContainText('trialing');
  for (const name of ['orders', 'payments']) {
    await page.goto('/projects');
    await page.getByLabel('Project name').fill(name);
    await page.getByRole('button', { name: 'Create Project' }).click();
  }
  await expect(page.getByRole('dialog')).toContainText('Upgrade to Starter');
  await shoot(page, 'billing-limit');
  const begin = new Date(Date.now() - 86_400_000).toISOString();
  await page.goto(`/dashboard?from=${begin}&to=${new Date().toISOString()}`);
  await expect(page.getByRole('note')).toContainText('are not kept');
  await shoot(page, 'billing-retention');
  await page.goto('/billing');
  await page.getByRole('button', { name: 'Upgrade to Solo Developer' }).click();
  await page.getByRole('button', { name: 'Upgrade Now' }).click();
  await expect(planNow(page)).toContainText('active');
  await page.getByRole('button', { name: 'Change to Starter' }).click();
  await expect(page.getByRole('dialog')).toContainText('Your current plan stays');
  await shoot(page, 'billing-change');
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(planNow(page)).toContainText('The plan will be Starter');
  await shoot(page, 'billing-changing');
  await page.getByRole('button', { name: 'End the period with a failed payment' }).click();
  await page.getByRole('button', { name: 'End the grace period' }).click();
  await expect(planNow(page)).toContainText('expired');
  await shoot(page, 'billing-expired');
});
