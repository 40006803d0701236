import { expect, type Page } from '@playwright/test';
import { addMember, invite, signUpOrganization } from '../harness/people/organizations.ts';
import { fillLogin } from '../harness/people/people.ts';
import { signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';

/** Texts that the dashboard itself shows if a response has no message, or if the server is unreachable. */

const NETWORK = 'An error occurred. Please try again.';
const NETWORK_IN = 'Network error. Please try again.';

/** Makes the next request that matches `call` fail with an error as a proxy would send it, without a message for users. */
const answerWordless = (page: Page, call: string) =>
  page.route(call, (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }), { times: 1 });
/** Makes the next request that matches `call` fail without reaching the server. */
const cutOff = (page: Page, call: string) => page.route(call, (route) => route.abort(), { times: 1 });

/** Repeats an action for both kinds of failures: a response without a message, and an unreachable server. */
async function expectTexts(
  page: Page,
  call: string,
  act: () => Promise<void>,
  texts: { readonly wordless: string; readonly network: string },
): Promise<void> {
  const problem = page.getByRole('alert').filter({ hasText: /\S/ });
  await answerWordless(page, call);
  await act();
  await expect(problem).toHaveText(texts.wordless);
  await cutOff(page, call);
  await act();
  await expect(problem).toHaveText(texts.network);
}

/** Delays the response to a request until the returned function is called. */
async function answerLater(page: Page, url: string): Promise<() => void> {
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(url, async (route) => {
    await isAnswered;
    await route.fulfill({ json: { success: true } });
  });
  return () => answer();
}

test('login, registration and invitation show the product’s own error messages @long', async ({
  page,
  ada,
}) => {
  const problem = page.getByRole('alert');
  await page.goto('/login');
  await expectTexts(page, '**/api/auth/login', () => fillLogin(page, ada), {
    wordless: 'Invalid credentials',
    network: NETWORK,
  });
  await page.route('**/api/auth/login', (route) =>
    route.fulfill({ json: { requires2FA: true, tempToken: 'x' } }),
  );
  await fillLogin(page, ada);
  const code = page.getByLabel('Authenticator code');
  await expect(code).toHaveAttribute('maxlength', '6');
  const verify = async () => {
    await code.fill('1234567');
    await expect(code).toHaveValue('123456');
    await page.getByRole('button', { name: 'Verify' }).click();
  };
  await expectTexts(page, '**/api/auth/2fa/verify-login', verify, {
    wordless: 'Invalid 2FA code',
    network: NETWORK,
  });

  await page.goto('/register?type=solo');
  const fill = async () => {
    await page.getByLabel('Name', { exact: true }).fill(ada.name);
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password', { exact: true }).fill(ada.password);
    await page.getByLabel('Confirm password').fill(ada.password);
    await page.getByRole('button', { name: 'Create account' }).click();
  };
  await expectTexts(page, '**/api/auth/register/solo', fill, {
    wordless: 'Registration failed',
    network: NETWORK,
  });

  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await page.getByRole('radio', { name: 'Organization' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(problem).toHaveText('All fields are required');
  await page.getByLabel('Organization name').fill('Analytical Engines');
  const slug = page.getByLabel('Organization slug');
  await expect(slug).toHaveValue('analytical-engines');
  await slug.fill('Ånalytical_Engines No. 2!');
  await expect(slug).toHaveValue('nalyticalengines-no-2');
  await expect(page.getByText('“nalyticalengines-no-2” is free')).toBeVisible();
  await expectTexts(page, '**/api/auth/register/organization', fill, {
    wordless: 'Organization registration failed',
    network: NETWORK,
  });

  await page.goto('/register?token=');
  await expect(problem).toHaveText('Invalid invitation token');
  for (const address of ['/invite', '/invite/', '/invite/unknown', '/register?token=unknown']) {
    await page.goto(address);
    await expect(problem).toHaveText('Invalid or expired invitation');
    await expect(
      page.getByText('Ask the owner of the organization to send the invitation again.'),
    ).toBeVisible();
  }
  await page.goto('/reset-password');
  await expect(problem).toHaveText('This link is invalid or has expired. Request a new link.');
  await expect(page.getByRole('textbox')).toHaveCount(0);
});

test('errors that occur when a user accepts an invitation or registers with one are shown @long', async ({
  page,
  browser,
  ada,
  grace,
  organizationName,
}) => {
  const organization = await signUpOrganization(page, ada, organizationName);
  const link = await invite(page, organization, grace);
  const hers = await (await browser.newContext()).newPage();
  await hers.goto(link);
  const accept = () => hers.getByRole('button', { name: 'Accept Invitation & Login' }).click();
  await expectTexts(hers, '**/api/auth/invitation/accept/*', accept, {
    wordless: 'Failed to accept invitation',
    network: NETWORK,
  });
  await accept();
  await expect(hers).toHaveURL(/\/register\?token=/);
  await hers.getByLabel('Password', { exact: true }).fill(grace.password);
  await hers.getByLabel('Confirm password').fill(grace.password);
  const register = () => hers.getByRole('button', { name: 'Create account' }).click();
  await expectTexts(hers, '**/api/auth/register/invitation/*', register, {
    wordless: 'Invitation registration failed',
    network: NETWORK,
  });
  await hers.context().close();
});

test('the settings show the product’s own error messages @long', async ({ page, ada }) => {
  await signUp(page, ada);
  await page.goto('/settings');
  const save = page.getByRole('button', { name: 'Save changes' });
  await expect(save).toBeDisabled();
  await page.getByLabel('Name').fill('Ada King');
  await expectTexts(page, '**/api/auth/profile', () => save.click(), {
    wordless: 'Failed to update profile',
    network: NETWORK_IN,
  });
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText(NETWORK_IN)).toBeHidden();

  await page.getByRole('tab', { name: 'Security' }).click();
  const change = async () => {
    await page.getByLabel('Current password').fill(ada.password);
    await page.getByLabel('New password', { exact: true }).fill('another one');
    await page.getByLabel('Confirm new password').fill('another one');
    await page.getByRole('button', { name: 'Update password' }).click();
  };
  await expectTexts(page, '**/api/auth/password', change, {
    wordless: 'Failed to update password',
    network: NETWORK_IN,
  });

  await page.getByRole('tab', { name: '2FA' }).click();
  const enable = page.getByRole('button', { name: 'Enable 2FA' });
  await expectTexts(page, '**/api/auth/2fa/setup', () => enable.click(), {
    wordless: 'Failed to setup 2FA',
    network: NETWORK_IN,
  });
  await enable.click();
  const setup = page.getByRole('dialog', { name: /two-factor/ });
  const verify = async () => {
    await setup.getByLabel('Authenticator code').fill('1234567');
    await expect(setup.getByLabel('Authenticator code')).toHaveValue('123456');
    await setup.getByRole('button', { name: 'Verify and enable' }).click();
  };
  await expectTexts(page, '**/api/auth/2fa/verify', verify, {
    wordless: 'Invalid verification code',
    network: NETWORK_IN,
  });
  await setup.getByRole('button', { name: 'Cancel' }).click();
  await expect(setup).toBeHidden();

  // Simulates that two-factor authentication is on.
  await page.route('**/api/auth/2fa/status', (route) =>
    route.fulfill({ json: { twoFAEnabled: true, backupCodesLeft: 7 } }),
  );
  await page.reload();
  const renew = () => page.getByRole('button', { name: 'Regenerate backup codes' }).click();
  await expectTexts(page, '**/api/auth/2fa/backup-codes', renew, {
    wordless: 'Failed to regenerate backup codes',
    network: NETWORK_IN,
  });
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: 'Disable 2FA' }).click();
  const disabling = page.getByRole('dialog', { name: 'Disable 2FA' });
  const digits = disabling.getByPlaceholder('Enter 6-digit code');
  const disable = async () => {
    await digits.fill('1234567');
    await expect(digits).toHaveValue('123456');
    await disabling.getByRole('button', { name: 'Disable 2FA' }).click();
  };
  await expectTexts(page, '**/api/auth/2fa/disable', disable, {
    wordless: 'Invalid code or backup code',
    network: NETWORK_IN,
  });
  // While the request is pending, the button shows the progress and is disabled.
  const answer = await answerLater(page, '**/api/auth/2fa/disable');
  await digits.press('Enter');
  await expect(disabling.getByRole('button', { name: 'Disabling...' })).toBeDisabled();
  answer();
  await expect(disabling).toBeHidden();
  await expect(page.getByText('2FA disabled successfully!')).toBeVisible();
  await page.getByRole('button', { name: 'Disable 2FA' }).click();
  await expect(digits).toHaveValue('');
});

test('a failed account deletion shows the reason, and its dialog can always be closed @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/settings?tab=account');
  const open = page.getByRole('button', { name: 'Delete Account' });
  const dialog = page.getByRole('dialog', { name: 'Confirm Account Deletion' });
  const remove = async () => {
    await open.click();
    await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
    await dialog.getByRole('button', { name: 'Delete Account' }).click();
    await expect(dialog).toBeHidden();
  };
  await expectTexts(page, '**/api/auth/account', remove, {
    wordless: 'Failed to delete account',
    network: NETWORK_IN,
  });
  await open.click();
  await dialog.getByLabel('Type DELETE to confirm').fill('DELET');
  await expect(dialog.getByRole('button', { name: 'Delete Account' })).toBeDisabled();
  await dialog.locator('form').evaluate((form: HTMLFormElement) => form.requestSubmit());
  await expect(page.getByText('Please type DELETE to confirm account deletion.')).toBeVisible();
  const answer = await answerLater(page, '**/api/auth/account');
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
  await dialog.getByRole('button', { name: 'Delete Account' }).click();
  await expect(dialog.getByRole('button', { name: 'Deleting...' })).toBeDisabled();
  answer();
  await expect(page).toHaveURL(/\/login/);
});

test('deleting an account with a paid plan asks to cancel the plan first @long', async ({
  page,
  ada,
  grace,
}) => {
  const organization = await signUpOrganization(page, ada, 'Paid Engines');
  const first = page.getByRole('button', { name: 'Cancel Subscription First' });
  await page.goto('/settings?tab=account');
  await expect(first).toBeDisabled();
  const { headers } = organization;
  await page.request.post(`/api/billing/${organization.id}/subscription/cancel`, { headers });
  await page.reload();
  await expect(page.getByRole('button', { name: 'Delete Account' })).toBeEnabled();

  await signUp(page, grace);
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const answer = await page.request.put('/api/user-billing/subscription/plan', {
    data: { plan: 'starter' },
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status()).toBe(200);
  await page.goto('/settings?tab=account');
  await expect(first).toBeDisabled();
});

test('adding and deleting a user shows the product’s own error messages @long', async ({
  page,
  ada,
  grace,
  organizationName,
}) => {
  const organization = await signUpOrganization(page, ada, organizationName);
  await addMember(page, organization, grace);
  await page.goto('/users');
  const adding = page.getByRole('dialog', { name: 'Add New User' });
  await page.getByRole('button', { name: 'Add User' }).click();
  await expect(adding.getByLabel('Email Address')).toHaveAttribute('type', 'email');
  await expect(adding.getByRole('radio', { name: 'Developer' })).toBeChecked();
  await adding.getByLabel('Full Name').fill('Grace');
  await adding.getByLabel('Email Address').fill('grace');
  const add = adding.getByRole('button', { name: 'Add User' });
  const problem = adding.getByRole('alert');
  await add.click();
  await expect(problem).toHaveText('Please enter a valid email address');
  await adding.getByLabel('Email Address').fill(grace.email);
  await add.click();
  await expect(problem).toHaveText('Failed to create user: This person already belongs to an organization.');
  await cutOff(page, '**/members');
  await add.click();
  await expect(problem).toHaveText('Error creating user. Please try again.');
  const refuse = (message: string) =>
    page.route(
      '**/members',
      (route) => {
        const details = { upgradeRequired: true, limit: 15, used: 15, upgradeTo: 'enterprise_basic' };
        const error = { code: 'plan_limit', message, requestId: 'x', details };
        return route.fulfill({ status: 403, json: { error, message, upgradeRequired: true } });
      },
      { times: 1 },
    );
  const upgrade = page.getByRole('dialog', { name: 'Upgrade Required' });
  await refuse('All 15 seats are taken.');
  await add.click();
  await expect(
    page.getByText('All 15 seats are taken. Please upgrade your plan to add team members.'),
  ).toBeVisible();
  await expect(adding).toBeHidden();
  await upgrade.getByRole('button', { name: 'Maybe Later' }).click();
  await expect(upgrade).toBeHidden();
  const free = 'Cannot add members on free plan. Please upgrade your subscription to add team members.';
  await page.getByRole('button', { name: 'Add User' }).click();
  await adding.getByLabel('Full Name').fill('Grace');
  await adding.getByLabel('Email Address').fill('another@example.com');
  await refuse(free);
  await add.click();
  await expect(page.getByRole('alert').filter({ hasText: free })).toBeVisible();
  await expect(upgrade).toContainText(free);
  await upgrade.getByRole('button', { name: 'Maybe Later' }).click();

  await page.getByRole('button', { name: `Actions for ${grace.email}` }).click();
  await page.getByRole('menuitem', { name: 'Delete user' }).click();
  const removal = page.getByRole('dialog', { name: 'Delete User' });
  const remove = () => removal.getByRole('button', { name: 'Delete User' }).click();
  const failure = removal.getByRole('alert');
  await answerWordless(page, '**/members/*');
  await remove();
  await expect(failure).toHaveText('Failed to delete user: Unknown error');
  await cutOff(page, '**/members/*');
  await remove();
  await expect(failure).toHaveText(NETWORK_IN);
  const message = 'The resource does not exist, or you have no access to it.';
  await page.route('**/members/*', (route) =>
    route.fulfill({ status: 404, json: { error: { code: 'not_found', message, requestId: 'x' }, message } }),
  );
  await remove();
  await expect(failure).toHaveText(`Failed to delete user: ${message}`);
});
