import { expect, type Page } from '@playwright/test';
import { dialog, planNow, upgrade } from '../harness/pages/billing-page.ts';
import { signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';

const settle = (page: Page) => planNow(page).getByRole('button', { name: 'Reactivate Subscription' });
const cancel = (page: Page) => planNow(page).getByRole('button', { name: 'Cancel Subscription' });
const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Cancel Subscription' });

test('two clicks on a billing button send one change', async ({ page, ada }) => {
  await signUp(page, ada);
  await page.goto('/billing');
  await upgrade(page, 'Starter');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname);
  });
  await cancel(page).click();
  await confirm(page).dblclick();
  await expect(settle(page)).toBeVisible();
  expect(sent).toHaveLength(1);
  await settle(page).dblclick();
  await expect(cancel(page)).toBeEnabled();
  expect(sent).toHaveLength(2);
});

test('two clicks on the button that pays send one payment @long', async ({ page, ada }) => {
  await signUp(page, ada);
  await page.goto('/billing');
  await upgrade(page, 'Starter');
  await page.getByRole('button', { name: 'End the period with a failed payment' }).click();
  await expect(planNow(page)).toContainText('past due');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname);
  });
  // Both clicks arrive before the page can disable the button.
  await planNow(page)
    .getByRole('button', { name: 'Pay now' })
    .evaluate((button: HTMLButtonElement) => [button.click(), button.click()]);
  await expect(page.getByText('Thank you. The payment went through.')).toBeVisible();
  expect(sent).toHaveLength(1);
});

test('a page with outdated data shows that an action failed, and loads the current state @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/billing');
  await upgrade(page, 'Starter');
  const other = await page.context().newPage();
  await other.goto('/billing');
  await cancel(other).click();
  await confirm(other).click();
  await expect(settle(other)).toBeVisible();

  await cancel(page).click();
  await confirm(page).click();
  await expect(dialog(page).getByText(/^Failed to cancel subscription: /)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Keep Subscription' }).click();
  await expect(settle(page)).toBeVisible();
});
