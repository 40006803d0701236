import { expect, type Page, test } from '@playwright/test';
import { ada } from '../harness/people/people.ts';
import { signUp } from '../harness/people/signed-up.ts';
import { turnOnTwoFactor } from '../harness/people/two-factor.ts';
import { ageLogins } from '../harness/server/old-logins.ts';
import { mailLink } from '../harness/server/outbox.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { shoot } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

const confirmDialog = (page: Page) => page.getByRole('dialog', { name: "Confirm it's you" });

test('screenshots show the pages that change the email address and confirm the user’s identity', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ baseURL: product.url })).newPage();
  await signUp(page, ada);
  await page.goto('/settings');
  await shoot(page, 'settings-address-unconfirmed', page.getByRole('region', { name: 'Address to confirm' }));
  await page.getByLabel('Email').fill('ada.king@a-rather-long-domain-name.example.com');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Profile updated successfully!').waitFor();
  await shoot(page, 'settings-address-pending');
  await page.goto('/verify-email?token=unknown');
  await shoot(page, 'verify-email');
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(page.getByRole('alert')).toHaveText(/invalid or has expired/);
  await shoot(page, 'verify-email-refused');
  await page.goto(await mailLink(page, 'ada.king@a-rather-long-domain-name.example.com', '/verify-email'));
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await page.getByRole('status').waitFor();
  await shoot(page, 'verify-email-done');
  await ageLogins(product);
  await page.goto('/settings?tab=2fa');
  await page.getByRole('button', { name: 'Enable 2FA' }).click();
  await confirmDialog(page).waitFor();
  await shoot(page, 'confirm-password');
  await confirmDialog(page).getByLabel('Password', { exact: true }).fill('not it');
  await page.keyboard.press('Enter');
  await expect(confirmDialog(page).getByRole('alert')).toHaveText('Current password is incorrect');
  await shoot(page, 'confirm-password-refused');
  await page.keyboard.press('Escape');
  await expect(page.getByText(/Nothing was changed/)).toBeVisible();
  await shoot(page, 'confirm-cancelled');

  const other = { ...ada, email: 'with-two-factor@example.com' };
  await signUp(page, other);
  await turnOnTwoFactor(page);
  await ageLogins(product);
  await page.goto('/settings?tab=account');
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await page.getByLabel('Type DELETE to confirm').fill('DELETE');
  await page.keyboard.press('Enter');
  await confirmDialog(page).waitFor();
  await shoot(page, 'confirm-code');
  await page.getByRole('button', { name: 'Use a backup code' }).click();
  await shoot(page, 'confirm-backup-code');
});
