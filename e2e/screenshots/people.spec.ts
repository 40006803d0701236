import { expect, test } from '@playwright/test';
import { ada, registerOrganization } from '../harness/people.ts';
import { type Product, startServer } from '../harness/product.ts';
import { shoot } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

test('the pages of people', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: product.url });
  await page.goto('/');
  await expect(page.getByRole('tree', { name: 'Local variables' })).toBeVisible();
  await shoot(page, 'landing');
  await page.goto('/forgot-password');
  await shoot(page, 'forgot-password');
  await page.goto('/register?type=organization');
  await shoot(page, 'register-organization');
  await registerOrganization(page, ada, 'Analytical Engines');
  await page.goto('/users');
  await expect(page.getByText('No developers yet')).toBeVisible();
  await shoot(page, 'users-free');
  await page.getByRole('button', { name: 'Add User' }).click({ force: true });
  await shoot(page, 'users-upgrade');
  await page.goto('/billing');
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Upgrade Now' }).click();
  await expect(page.getByText(/Successfully upgraded/)).toBeVisible();
  await shoot(page, 'billing');
  await page.goto('/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await page.getByLabel('Full Name').fill('Grace Hopper');
  await page.getByLabel('Email Address').fill('grace@example.com');
  await shoot(page, 'users-add');
  await page.getByRole('dialog').getByRole('button', { name: 'Add User' }).click();
  const link = page.getByRole('textbox', { name: 'Invitation link' });
  await expect(link).toBeVisible();
  await shoot(page, 'users-invited');
  const invitation = await link.inputValue();
  await page.keyboard.press('Escape');
  await shoot(page, 'users');
  await page.getByRole('tab', { name: 'Audit log' }).click();
  await expect(page.getByRole('row', { name: /invited/ })).toBeVisible();
  await shoot(page, 'audit-log');
  for (const tab of ['profile', 'security', '2fa', 'account']) {
    await page.goto(`/settings?tab=${tab}`);
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await shoot(page, `settings-${tab}`);
  }
  await page.goto('/settings?tab=2fa');
  await page.getByRole('button', { name: 'Enable 2FA' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await shoot(page, 'settings-2fa-setup');
  const stranger = await (await browser.newContext({ baseURL: product.url })).newPage();
  await stranger.goto(invitation);
  await expect(stranger.getByRole('button', { name: /Accept/ })).toBeVisible();
  await shoot(stranger, 'invite');
  await stranger.getByRole('button', { name: /Accept/ }).click();
  await expect(stranger).toHaveURL(/register/);
  await shoot(stranger, 'register-invited');
});
