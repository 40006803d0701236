import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../harness/accessible.ts';
import { registerOrganization } from '../harness/people.ts';
import { addProject, signUp } from '../harness/signed-up.ts';
import { test } from '../harness/worker-server.ts';

const planNow = (page: Page) => page.getByRole('region', { name: 'Current plan' });
const dialog = (page: Page) => page.getByRole('dialog');

async function upgrade(page: Page, plan: string): Promise<void> {
  await page.getByRole('button', { name: `Upgrade to ${plan}` }).click();
  await expect(dialog(page)).toContainText('Due now');
  await expect(dialog(page)).toContainText('Sandbox – no card is charged');
  await dialog(page).getByRole('button', { name: 'Upgrade Now' }).click();
  // Of an upgrade just before, its notice may still stand above.
  await expect(page.getByText(`Successfully upgraded to ${plan} plan!`).last()).toBeVisible();
  await expect(planNow(page).getByRole('heading', { name: plan })).toBeVisible();
}

test('a solo user meets the limit, upgrades from its dialog, and what was refused works', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  await page.goto('/projects');
  await page.getByLabel('Project name').fill('payments');
  await page.getByRole('button', { name: 'Create Project' }).click();
  await expect(dialog(page)).toContainText(
    'Free Trial includes 1 project, and 1 is used. Upgrade to Starter for 2 projects.',
  );
  await expectAccessible(page, 'limit dialog');
  await dialog(page).getByRole('link', { name: 'Upgrade Now' }).click();
  await expect(page).toHaveURL(/\/billing/);
  await expect(planNow(page)).toContainText('Free Trial');
  await expect(planNow(page)).toContainText('trialing');
  await expect(page.getByRole('region', { name: 'Usage' })).toContainText('1 of 1 · 100 %');
  await upgrade(page, 'Starter');
  await expect(planNow(page)).toContainText('$19 a month');
  await expect(page.getByRole('region', { name: 'Usage' })).toContainText('1 of 2 · 50 %');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: /^PDF of SANDBOX-/ }).click();
  expect(await readFile(await (await downloading).path(), 'utf8')).toContain('$19.00');
  await page.goto('/projects');
  await page.getByLabel('Project name').fill('payments');
  await page.getByRole('button', { name: 'Create Project' }).click();
  await expect(page.getByRole('article', { name: 'payments' })).toBeVisible();
  // What is there does not fit a smaller plan.
  await page.getByLabel('Project name').fill('third');
  await page.getByRole('button', { name: 'Create Project' }).click();
  await expect(dialog(page)).toContainText('Upgrade to Solo Developer for 5 projects.');
});

test('a year costs ten months; a smaller plan waits for the period, and can be taken back', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/billing');
  await expect(page.getByText('A year costs 10 months.')).toBeVisible();
  await page.getByText('Yearly', { exact: true }).click();
  await upgrade(page, 'Solo Developer');
  await expect(planNow(page)).toContainText('$490 a year');
  await page.getByRole('button', { name: 'Change to Starter' }).click();
  await expect(dialog(page)).toContainText('What you have now stays until');
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(
    page.getByText('Your plan changes to Starter at the end of your current billing period.'),
  ).toBeVisible();
  await expect(planNow(page)).toContainText('It will be Starter, billed yearly.');
  await planNow(page).getByRole('button', { name: 'Keep Solo Developer' }).click();
  await expect(planNow(page)).not.toContainText('It will be Starter');
});

test('an organization cancels, goes on, cancels, and ends with its period; then it subscribes again', async ({
  page,
  ada,
  organizationName,
}) => {
  await registerOrganization(page, ada, organizationName);
  await page.goto('/billing');
  await expect(planNow(page).getByRole('button', { name: 'Cancel Subscription' })).toBeDisabled();
  await upgrade(page, 'Pro');
  const cancel = async () => {
    await planNow(page).getByRole('button', { name: 'Cancel Subscription' }).click();
    await dialog(page).getByRole('button', { name: 'Cancel Subscription' }).click();
    await expect(
      page.getByText('Subscription will be cancelled at the end of your current billing period.').first(),
    ).toBeVisible();
    await expect(planNow(page)).toContainText('then the plan ends');
  };
  await cancel();
  await planNow(page).getByRole('button', { name: 'Reactivate Subscription' }).click();
  await expect(page.getByText('Your subscription goes on.')).toBeVisible();
  await expect(planNow(page).getByRole('button', { name: 'Cancel Subscription' })).toBeEnabled();
  await cancel();
  await page.getByRole('button', { name: 'Jump to the period’s end' }).click();
  await expect(planNow(page)).toContainText('cancelled');
  await expect(planNow(page)).toContainText('You had Pro.');
  await upgrade(page, 'Pro');
  await page.goto('/users?tab=audit');
  await expect(page.getByRole('row', { name: /cancelled the subscription to Pro/ }).first()).toBeVisible();
  await expect(page.getByRole('row', { name: /changed the plan Free Trial → Pro/ }).first()).toBeVisible();
});

test('a payment that fails is told of and can be made up for; else the plan ends', async ({ page, ada }) => {
  await signUp(page, ada);
  await page.goto('/billing');
  await upgrade(page, 'Starter');
  await page.getByRole('button', { name: 'Jump, and let the payment fail' }).click();
  await expect(planNow(page)).toContainText('past due');
  await expect(planNow(page)).toContainText('The last payment failed.');
  await expectAccessible(page, 'a failed payment');
  await planNow(page).getByRole('button', { name: 'Pay now' }).click();
  await expect(page.getByText('Thank you. The payment went through.')).toBeVisible();
  await expect(planNow(page)).toContainText('active');
  await page.getByRole('button', { name: 'Jump, and let the payment fail' }).click();
  await page.getByRole('button', { name: 'Let the grace run out' }).click();
  await expect(planNow(page)).toContainText('expired');
  await expect(planNow(page)).toContainText('You had Starter.');
});

test('a trial that ends says so on every page, with the way on', async ({ page, ada }) => {
  await signUp(page, ada);
  await page.goto('/billing');
  await page.getByRole('button', { name: 'End the trial' }).click();
  await expect(planNow(page)).toContainText('expired');
  await page.goto('/dashboard');
  await expect(page.getByText('Your free trial has ended')).toBeVisible();
  await page.getByRole('link', { name: 'See the plans' }).click();
  await expect(page).toHaveURL(/\/billing/);
});

test('what cannot be loaded is said, and can be tried again', async ({ page, ada }) => {
  await signUp(page, ada);
  await page.route('**/api/user-billing/subscription', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto('/billing');
  await expect(page.getByText('Failed to load billing information')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Usage' })).toContainText('0 of 1,000');
  await page.unroute('**/api/user-billing/subscription');
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(planNow(page)).toContainText('Free Trial');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`billing can be used by everybody, ${colorScheme}`, async ({ page, ada, organizationName }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await registerOrganization(page, ada, organizationName);
    await page.goto('/billing');
    await expect(planNow(page)).toContainText('Free Trial');
    await expectAccessible(page, 'trial');
    await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
    await expect(dialog(page)).toContainText('Due now');
    await expectAccessible(page, 'upgrade dialog');
    await dialog(page).getByRole('button', { name: 'Upgrade Now' }).click();
    await expect(planNow(page)).toContainText('Pro');
    await expectAccessible(page, 'paid');
    await planNow(page).getByRole('button', { name: 'Cancel Subscription' }).click();
    await expectAccessible(page, 'cancel dialog');
  });
}
