import { expect, type Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { addMember } from '../harness/people/organizations.ts';
import { fillLogin, registerOrganization } from '../harness/people/people.ts';
import { signUp } from '../harness/people/signed-up.ts';
import { mailLink } from '../harness/server/outbox.ts';
import { test } from '../harness/server/worker-server.ts';

const STEP_MS = 30_000;

async function logout(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login/);
}

async function openSettings(page: Page, tab: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: tab, exact: true }).click();
}

/** Returns the code of an authenticator app. `stepsAhead` selects the code of a later half minute, because each code works only once. */
function generateCode(secret: string, stepsAhead = 0): string {
  return generateSync({ secret, epoch: Math.floor((Date.now() + stepsAhead * STEP_MS) / 1000) });
}

test('an owner registers an organization, invites a member who joins, and removes the member', async ({
  page,
  browser,
  ada,
  grace,
  organizationName,
}) => {
  await registerOrganization(page, ada, organizationName);
  await expect(page.getByRole('link', { name: 'Users' })).toBeVisible();
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page.getByText('No developers yet')).toBeVisible();

  // The free plan allows no further user, so the button is shown as disabled. A click on it still opens a dialog, which explains why and
  // links to the plans.
  await expect(page.getByRole('button', { name: 'Add User' })).toBeDisabled();
  await page.getByRole('button', { name: 'Add User' }).click({ force: true });
  const upgrade = page.getByRole('dialog', { name: 'Upgrade Required' });
  await expect(upgrade).toContainText('Cannot add members on free plan.');
  await expect(upgrade.getByRole('button', { name: 'Maybe Later' })).toBeVisible();
  await upgrade.getByRole('link', { name: 'Upgrade Now' }).click();
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Upgrade Now' }).click();
  await expect(page.getByText(/Successfully upgraded/)).toBeVisible();
  await expect(page.getByText('Successfully upgraded to Pro plan!')).toBeVisible();

  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('button', { name: 'Add User' }).click();
  const dialog = page.getByRole('dialog', { name: /Add New User|Invitation sent/ });
  await dialog.getByRole('button', { name: 'Add User' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('All fields are required');
  await dialog.getByLabel('Full Name').fill(grace.name);
  await dialog.getByLabel('Email Address').fill(grace.email);
  await dialog.getByRole('button', { name: 'Add User' }).click();
  await expect(page.getByText('User created successfully!')).toBeVisible();
  await expect(page.getByText(`An invitation was sent to ${grace.email}.`)).toBeVisible();
  const link = await dialog.getByRole('textbox', { name: 'Invitation link' }).inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const invited = page.getByRole('row', { name: new RegExp(grace.email) });
  await expect(invited).toContainText('Pending');

  // Grace received the same link by email, and opens it in her own browser.
  expect(await mailLink(page, grace.email, '/invite/')).toBe(link);
  const hers = await (await browser.newContext()).newPage();
  await hers.goto(link);
  await expect(hers.getByRole('heading', { name: "You've been invited!" })).toBeVisible();
  await expect(hers.getByText(organizationName)).toBeVisible();
  await hers.getByRole('button', { name: 'Accept Invitation & Login' }).click();
  await expect(hers).toHaveURL(/\/register\?token=/);
  await expect(hers.getByLabel('Email')).toHaveValue(grace.email);
  await hers.getByLabel('Password', { exact: true }).fill(grace.password);
  await hers.getByLabel('Confirm password').fill(grace.password);
  await hers.getByRole('button', { name: 'Create account' }).click();
  await expect(hers).toHaveURL(/\/app/);
  await expect(hers.getByRole('link', { name: 'Users' })).toHaveCount(0);
  await openSettings(hers, 'Profile');
  await expect(hers.getByRole('tab', { name: 'Account' })).toHaveCount(0);
  await expect(hers.getByText(/contact the organization administrator or owner/)).toBeVisible();
  await hers.goto(link);
  await expect(hers.getByRole('alert')).toHaveText('Invalid or expired invitation');
  await hers.goto('/dashboard');

  await page.reload();
  const member = page.getByRole('row', { name: new RegExp(grace.email) });
  await expect(member).toContainText('Active');
  await member.getByRole('button', { name: /Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await page.getByRole('radio', { name: 'Admin' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await expect(member).toContainText('Admin');
  await member.getByRole('button', { name: /Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Delete user' }).click();
  const removal = page.getByRole('dialog', { name: 'Delete User' });
  await expect(removal).toContainText('all traces stay');
  await removal.getByRole('button', { name: 'Delete User' }).click();
  await expect(page.getByText('User deleted successfully!')).toBeVisible();
  await expect(member).toHaveCount(0);

  // Grace is signed out immediately, and has a solo account when she logs in again.
  await hers.reload();
  await expect(hers).toHaveURL(/\/login/);

  await page.getByRole('tab', { name: 'Audit log' }).click();
  await expect(page.getByRole('row', { name: new RegExp(`removed ${grace.email}`) })).toBeVisible();
});

test('a user with an account accepts an invitation after login, but cannot accept an invitation to another address @long', async ({
  page,
  browser,
  ada,
  grace,
  organizationName,
}) => {
  const hers = await (await browser.newContext()).newPage();
  await signUp(hers, grace);
  await hers.goto('/app');
  await registerOrganization(page, ada, organizationName);
  await page.goto('/billing');
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Upgrade Now' }).click();
  await expect(page.getByText(/Successfully upgraded/)).toBeVisible();
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('button', { name: 'Add User' }).click();
  await page.getByLabel('Full Name').fill(grace.name);
  await page.getByLabel('Email Address').fill(grace.email);
  await page.getByRole('dialog').getByRole('button', { name: 'Add User' }).click();
  const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue();

  // Ada opens the invitation that is for Grace.
  const wrong = await page.context().newPage();
  await wrong.goto(link);
  await expect(wrong.getByText(`you are logged in as ${ada.email}`)).toBeVisible();

  await logout(hers);
  await hers.goto(link);
  await hers.getByRole('button', { name: 'Accept Invitation & Login' }).click();
  await expect(hers).toHaveURL(/\/login/);
  await fillLogin(hers, grace);
  await expect(hers).toHaveURL(/\/app/);
  await openSettings(hers, 'Profile');
  await expect(hers.getByText(/contact the organization administrator or owner/)).toBeVisible();
});

test('an organization is created and renamed in the settings, and members can leave it @long', async ({
  page,
  browser,
  ada,
  grace,
  organizationName,
}) => {
  await signUp(page, ada);
  await page.goto('/settings');
  const organization = page.getByRole('region', { name: 'Organization' });
  const dialog = page.getByRole('dialog', { name: /(Create|Rename) organization/ });
  await organization.getByRole('button', { name: 'Create organization' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('All fields are required');
  await dialog.getByLabel('Organization name').fill(organizationName);
  await expect(dialog.getByText(/is free/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(organization).toContainText(`${organizationName} was created. You are its owner.`);
  await expect(page.getByRole('link', { name: 'Users' })).toBeVisible();
  await organization.getByRole('button', { name: 'Rename organization' }).click();
  await dialog.getByLabel('Organization name').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('All fields are required');
  await dialog.getByLabel('Organization name').fill(`${organizationName} Ltd`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(organization).toContainText('The organization was renamed.');
  await expect(organization).toContainText(`${organizationName} Ltd`);
  await expect(organization.getByRole('button', { name: 'Leave organization' })).toHaveCount(0);

  const { id, token } = await page.evaluate(() => ({
    id: String(JSON.parse(localStorage.getItem('organization_data') ?? '{}').id),
    token: localStorage.getItem('auth_token') ?? '',
  }));
  const headers = { authorization: `Bearer ${token}` };
  await page.request.put(`/api/billing/${id}/subscription/plan`, { data: { plan: 'pro' }, headers });
  await addMember(page, { id, headers }, grace);
  const hers = await (await browser.newContext()).newPage();
  await hers.goto('/login?from=%2Fsettings');
  await fillLogin(hers, grace);
  await hers.getByRole('button', { name: 'Leave organization' }).click();
  await expect(hers.getByRole('dialog')).toContainText(`${organizationName} Ltd`);
  await hers.getByRole('dialog').getByRole('button', { name: 'Leave organization' }).click();
  await expect(hers.getByText("You're not in an organization.")).toBeVisible();
  await expect(hers.getByText(`You have left ${organizationName} Ltd.`)).toBeVisible();
  await hers.context().close();
  await page.goto('/users');
  await expect(page.getByText('No developers yet')).toBeVisible();
});

test('two-factor authentication can be set up, is required at login, and can be turned off', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/app');
  await openSettings(page, '2FA');
  await page.getByRole('button', { name: 'Enable 2FA' }).click();
  const setup = page.getByRole('dialog', { name: /two-factor/ });
  await expect(setup.getByRole('img', { name: /QR code/ })).toBeVisible();
  const codes = setup.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const backupCode = (await codes.first().textContent()) ?? '';
  const secret = (await setup.getByLabel('Secret', { exact: true }).textContent()) ?? '';
  const verify = setup.getByRole('button', { name: 'Verify and enable' });
  await expect(verify).toBeDisabled();
  await setup.getByLabel('Authenticator code').fill('000000');
  await verify.click();
  await expect(setup.getByRole('alert')).toHaveText('Invalid verification code');
  await setup.getByLabel('Authenticator code').fill(generateCode(secret));
  await verify.click();
  await expect(page.getByText('2FA enabled successfully!')).toBeVisible();

  await logout(page);
  await fillLogin(page, ada);
  await page.getByLabel('Authenticator code').fill('000000');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('alert')).toHaveText('Invalid 2FA code');
  await page.getByLabel('Authenticator code').fill(generateCode(secret, 1));
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).toHaveURL(/\/app/);

  // Logs in again with a backup code, which then does not work any more.
  await logout(page);
  await fillLogin(page, ada);
  await page.getByRole('button', { name: 'Use a backup code' }).click();
  await page.getByLabel('Backup code').fill(backupCode.toLowerCase());
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).toHaveURL(/\/app/);
  await openSettings(page, '2FA');
  await expect(page.getByText('9 of your backup codes are unused')).toBeVisible();

  await page.getByRole('button', { name: 'Regenerate backup codes' }).click();
  await expect(page.getByText('Backup codes regenerated successfully!')).toBeVisible();
  const fresh = page.getByRole('dialog').getByRole('listitem');
  const another = (await fresh.first().textContent()) ?? '';
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Disable 2FA' }).click();
  const disabling = page.getByRole('dialog', { name: 'Disable 2FA' });
  const confirm = disabling.getByRole('button', { name: 'Disable 2FA' });
  await expect(confirm).toBeDisabled();
  await expect(disabling.getByPlaceholder('Enter 6-digit code')).toBeVisible();
  await disabling.getByLabel('Backup code').fill(backupCode);
  await confirm.click();
  await expect(disabling.getByRole('alert')).toHaveText('Invalid code or backup code');
  await disabling.getByLabel('Backup code').fill(another);
  await confirm.click();
  await expect(page.getByText('2FA disabled successfully!')).toBeVisible();
});

test('a user changes the profile and password, and ends sessions in the settings @long', async ({
  page,
  browser,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/app');
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto('/login');
  await fillLogin(elsewhere, ada);
  await expect(elsewhere).toHaveURL(/\/app/);

  await openSettings(page, 'Profile');
  await page.getByLabel('Name').fill('Ada King');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await expect(page.getByTitle('Ada King')).toBeVisible();

  await page.getByRole('tab', { name: 'Security' }).click();
  await expect(page.getByText('This session')).toBeVisible();
  await page.getByRole('button', { name: /^End the session/ }).click();
  await expect(page.getByText('The session was ended.')).toBeVisible();
  await elsewhere.reload();
  await expect(elsewhere).toHaveURL(/\/login/);

  const update = page.getByRole('button', { name: 'Update password' });
  const fill = async (current: string, next: string, again: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill(next);
    await page.getByLabel('Confirm new password').fill(again);
    await update.click();
  };
  await fill(ada.password, 'a new password', 'another one');
  await expect(page.getByText('New passwords do not match')).toBeVisible();
  await fill(ada.password, 'short', 'short');
  await expect(page.getByText('Password must be at least 8 characters long')).toBeVisible();
  await fill('wrong', 'a new password', 'a new password');
  await expect(page.getByText('Current password is incorrect')).toBeVisible();
  await fill(ada.password, 'a new password', 'a new password');
  await expect(page.getByText('Password updated successfully!')).toBeVisible();
  await logout(page);
  await fillLogin(page, { ...ada, password: 'a new password' });
  await expect(page).toHaveURL(/\/app/);
});

test('a forgotten password is replaced through the link in the email @long', async ({ page, ada }) => {
  await signUp(page, ada);
  await page.goto('/app');
  await logout(page);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  // Waits for the button first, because the login page has an Email field, too.
  await expect(page.getByRole('button', { name: 'Send the link' })).toBeVisible();
  await page.getByLabel('Email').fill(ada.email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText(/a link to set a new password is on its way/)).toBeVisible();
  await page.goto(await mailLink(page, ada.email, '/reset-password'));
  await page.getByLabel('New password', { exact: true }).fill('remembered now');
  await page.getByLabel('Confirm new password').fill('remembered now');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('link', { name: 'Login' }).click();
  await fillLogin(page, { ...ada, password: 'remembered now' });
  await expect(page).toHaveURL(/\/app/);
});

test('an account is deleted only after DELETE was typed @long', async ({ page, ada }) => {
  await signUp(page, ada);
  await page.goto('/app');
  await openSettings(page, 'Account');
  await page.getByRole('button', { name: 'Delete Account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm Account Deletion' });
  await expect(dialog).toContainText('This action cannot be undone.');
  const remove = dialog.getByRole('button', { name: 'Delete Account' });
  await dialog.getByLabel('Type DELETE to confirm').fill('delete');
  await expect(remove).toBeDisabled();
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
  await remove.click();
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page, ada);
  await expect(page.getByRole('alert')).toHaveText('Invalid credentials');
});
