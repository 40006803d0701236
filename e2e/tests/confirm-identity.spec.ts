import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import { addMember, signUpOrganization } from '../harness/people/organizations.ts';
import { ada, grace } from '../harness/people/people.ts';
import { signUp } from '../harness/people/signed-up.ts';
import { turnOnTwoFactor } from '../harness/people/two-factor.ts';
import { test } from '../harness/server/fixtures.ts';
import { ageLogins } from '../harness/server/old-logins.ts';

const confirmDialog = (page: Page) => page.getByRole('dialog', { name: "Confirm it's you" });
const NOT_CONFIRMED = 'Nothing was changed, because you did not confirm your identity.';

test('a user whose login is old must enter the password before setting up two-factor authentication, by keyboard alone @long', async ({
  page,
  product,
}) => {
  await signUp(page, ada);
  await ageLogins(product);
  await page.goto('/settings?tab=2fa');
  const enable = page.getByRole('button', { name: 'Enable 2FA' });
  const password = confirmDialog(page).getByLabel('Password', { exact: true });
  const problem = confirmDialog(page).getByRole('alert');
  await enable.press('Enter');
  await expect(password).toBeFocused();
  await expectNoViolation(page, 'the dialog that asks for the password');

  await page.keyboard.type('not it');
  await page.keyboard.press('Enter');
  await expect(problem).toHaveText('Current password is incorrect');
  await expect(password).toBeFocused();
  await expect(confirmDialog(page).getByRole('button', { name: 'Confirm' })).toBeEnabled();
  await page.route('**/api/auth/confirm', (route) => route.abort());
  await page.keyboard.press('Enter');
  await expect(problem).toHaveText('Network error. Please try again.');
  await page.unroute('**/api/auth/confirm');

  await page.keyboard.press('Escape');
  await expect(confirmDialog(page)).toBeHidden();
  await expect(page.getByRole('alert').filter({ hasText: NOT_CONFIRMED })).toBeVisible();
  await expect(enable).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(password).toBeFocused();
  await page.keyboard.type(ada.password);
  await page.keyboard.press('Enter');
  await expect(confirmDialog(page)).toBeHidden();
  await expect(page.getByRole('dialog', { name: 'Set up two-factor authentication' })).toBeVisible();
});

test('a user whose login is old must enter the password before an access token is created @long', async ({
  page,
  product,
}) => {
  await signUp(page, ada);
  await ageLogins(product);
  await page.goto('/settings?tab=security');
  const tokens = page.getByRole('region', { name: 'Access tokens', exact: true });
  await tokens.getByLabel('Name').fill('Build server');
  await page.keyboard.press('Enter');
  await expect(confirmDialog(page).getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(tokens.getByRole('alert').filter({ hasText: NOT_CONFIRMED })).toBeVisible();
  await expect(tokens.getByLabel('Name')).toHaveValue('Build server');

  await tokens.getByLabel('Name').press('Enter');
  await expect(confirmDialog(page).getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(ada.password);
  await page.keyboard.press('Enter');
  await expect(tokens.getByRole('textbox', { name: 'New token' })).toHaveValue(/^tlr_/);
});

test('with two-factor authentication, transferring an organization requires a code in a second dialog @long', async ({
  page,
  product,
}) => {
  const organization = await signUpOrganization(page, ada, 'Analytical Engines');
  await addMember(page, organization, grace);
  const [backupCode = ''] = await turnOnTwoFactor(page);
  await ageLogins(product);
  await page.goto('/users');
  await page.getByRole('button', { name: `Actions for ${grace.email}` }).click();
  await page.getByRole('menuitem', { name: 'Make owner' }).click();
  const transferOwnership = page.getByRole('dialog', { name: 'Transfer ownership?' });
  await transferOwnership.getByRole('button', { name: 'Transfer' }).click();
  await expect(confirmDialog(page).getByLabel('Authenticator code')).toBeFocused();
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(confirmDialog(page).getByRole('alert')).toHaveText('Invalid code or backup code');
  // Escape closes only the dialog on top.
  await page.keyboard.press('Escape');
  await expect(confirmDialog(page)).toBeHidden();
  await expect(transferOwnership.getByRole('alert')).toContainText(NOT_CONFIRMED);

  await transferOwnership.getByRole('button', { name: 'Transfer' }).click();
  await confirmDialog(page).getByRole('button', { name: 'Use a backup code' }).click();
  await expect(confirmDialog(page).getByLabel('Backup code')).toBeFocused();
  await expectNoViolation(page, 'the dialog that asks for a backup code');
  await page.keyboard.type(backupCode);
  await page.keyboard.press('Enter');
  await expect(page.getByText('This page is for owners')).toBeVisible();
});
