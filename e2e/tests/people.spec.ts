import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import { addMember, invite, signUpOrganization } from '../harness/people/organizations.ts';
import { fillLogin, readClipboard } from '../harness/people/people.ts';
import { addProject, signUp } from '../harness/people/signed-up.ts';
import { mailLink } from '../harness/server/outbox.ts';
import { test } from '../harness/server/worker-server.ts';

const ina = { name: 'Ina Vited', email: 'ina.vited@example.com' };

async function chooseAction(page: Page, email: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('users are found and sorted; invitations are copied, sent again and revoked; the ownership is transferred @long', async ({
  page,
  context,
  ada,
  grace,
  organizationName,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const organization = await signUpOrganization(page, ada, organizationName);
  await addMember(page, organization, grace);
  const link = await invite(page, organization, ina);
  await page.goto('/users');
  const names = page.getByRole('rowgroup').last().getByRole('row').getByRole('cell').nth(0);
  const shown = () => page.getByRole('rowgroup').last().locator('td:first-child').allInnerTexts();
  await expect(names).toHaveText(ada.name, { useInnerText: true });
  await expect(page.getByRole('columnheader')).toHaveText([
    'User',
    'Email',
    'Role',
    'Status',
    'Joined',
    'Last Active',
    'Actions',
  ]);
  await expect(page.locator('dl')).toHaveText('Total3Active2Pending1');
  const byName = page.getByRole('button', { name: 'User', exact: true });
  await byName.click();
  expect(await shown()).toEqual([ada.name, grace.name, ina.name]);
  await byName.click();
  expect(await shown()).toEqual([ina.name, grace.name, ada.name]);
  await expect(page.getByRole('columnheader', { name: 'User' })).toHaveAttribute('aria-sort', 'descending');
  await page.getByLabel('Search users').fill('GRACE');
  await expect.poll(shown).toEqual([grace.name]);
  await page.getByLabel('Search users').fill('nobody');
  await expect(page.getByText('No matching users')).toBeVisible();
  await page.getByLabel('Search users').fill('');

  await chooseAction(page, ina.email, 'Copy invitation link');
  await expect(page.getByText('The invitation link was copied.')).toBeVisible();
  expect(await readClipboard(page)).toBe(link);
  await chooseAction(page, ina.email, 'Send again');
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText(`The invitation is on its way to ${ina.email}.`)).toBeVisible();
  expect(await mailLink(page, ina.email, '/invite/')).toBe(link);
  await chooseAction(page, ina.email, 'Revoke invitation');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click();
  await expect(page.getByText('The invitation was revoked.')).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(ina.email) })).toHaveCount(0);

  // If changing the role fails, the dialog stays open, with the reason and the selected role.
  await page.route('**/members/*', (route) => route.abort(), { times: 1 });
  await chooseAction(page, grace.email, 'Change role');
  const roles = page.getByRole('dialog', { name: 'Change role' });
  await roles.getByRole('radio', { name: 'Admin' }).click();
  await roles.getByRole('button', { name: 'Change role' }).click();
  await expect(roles.getByRole('alert')).toHaveText(/^The role could not be changed\. Network error/);
  await expect(roles.getByRole('radio', { name: 'Admin' })).toBeChecked();
  await expect(page.getByRole('cell', { name: 'Admin', exact: true })).toBeHidden();
  await roles.getByRole('button', { name: 'Cancel' }).click();

  // There is no menu of actions for the owner: nobody can remove the owner or change their role.
  await expect(page.getByRole('button', { name: `Actions for ${ada.email}` })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Audit log' }).click();
  for (const entry of ['invited', 'sent the invitation again to', 'revoked the invitation to'])
    await expect(page.getByRole('row', { name: new RegExp(`${entry} ${ina.email}`) })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Audit log', selected: true })).toBeVisible();
  await page.getByRole('tab', { name: 'People' }).click();
  await chooseAction(page, grace.email, 'Make owner');
  await expect(page.getByRole('dialog')).toContainText('You become an admin. You cannot undo this.');
  await page.getByRole('dialog').getByRole('button', { name: 'Transfer' }).click();
  await expect(page.getByText('This page is for owners')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Billing' })).toHaveCount(0);
});

test('backup codes can be copied, downloaded and printed @long', async ({ page, context, ada }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // Stores the text that a frame of the page would print.
  await context.addInitScript(() => {
    window.print = () => {
      if (window.top !== null) window.top.name = document.body.textContent ?? '';
    };
  });
  await signUp(page, ada);
  await page.goto('/settings?tab=2fa');
  await page.getByRole('button', { name: 'Enable 2FA' }).click();
  const setup = page.getByRole('dialog', { name: /two-factor/ });
  const list = setup.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
  await expect(list).toHaveCount(10);
  const codes = await list.allTextContents();
  expect(new Set(codes).size).toBe(10);
  const codesFile = `Throughline backup codes of ${ada.email}\nEach code works once.\n\n${codes.join('\n')}\n`;
  await setup.getByRole('button', { name: 'Copy backup codes' }).click();
  expect(await readClipboard(page)).toBe(codes.join('\n'));
  const downloading = page.waitForEvent('download');
  await setup.getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('throughline-backup-codes.txt');
  expect(await readFile(await download.path(), 'utf8')).toBe(codesFile);
  await setup.getByRole('button', { name: 'Print' }).click();
  await expect.poll(() => page.evaluate(() => window.name.trim())).toBe(codesFile.trim());
  // The codes are shown only once: the next setup has different codes.
  await setup.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Enable 2FA' }).click();
  await expect(setup.getByText(codes[0] ?? '')).toHaveCount(0);
});

test('an ended session leads to the login, and the login leads back to the page @long', async ({
  page,
  context,
  browser,
  product,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/settings?tab=security');
  const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(1);
  await expect(sessions).toContainText(/Linux.*This session.*127\.0\.0\.1.*last active/s);

  // Signs out all other sessions together.
  const elsewhere = await (await browser.newContext({ baseURL: product.url })).newPage();
  await elsewhere.goto('/settings?tab=2fa');
  await fillLogin(elsewhere, ada);
  await expect(elsewhere.getByRole('button', { name: 'Enable 2FA' })).toBeVisible();
  await page.reload();
  await expect(sessions).toHaveCount(2);
  await page.getByRole('button', { name: 'End all others' }).click();
  await expect(page.getByText('All other sessions were ended.')).toBeVisible();
  await expect(sessions).toHaveCount(1);
  // In the other browser, the next request is rejected.
  await elsewhere.getByRole('button', { name: 'Enable 2FA' }).click();
  await expect(elsewhere).toHaveURL(/\/login\?from=/);
  await fillLogin(elsewhere, ada);
  await expect(elsewhere).toHaveURL(/\/settings\?tab=2fa$/);
  await elsewhere.context().close();

  // The page detects changes of the browser's storage by another tab.
  const other = await context.newPage();
  await other.goto('/api/health/live');
  await other.evaluate(() => {
    for (const key of ['auth_token', 'user_data', 'organization_data']) localStorage.removeItem(key);
  });
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page, ada);
  await expect(page).toHaveURL(/\/settings\?tab=security$/);
});

test('a login never redirects to another site, a script or the login page', async ({ page, ada }) => {
  await signUp(page, ada);
  const outside = [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    'javascript:alert(1)',
    '/login',
  ];
  for (const from of outside) {
    await page.evaluate(() => localStorage.clear());
    await page.goto(`/login?from=${encodeURIComponent(from)}`);
    await fillLogin(page, ada);
    await expect(page).toHaveURL(/localhost:\d+\/(app|dashboard)/);
  }
});

test('names are shown as text everywhere, whatever they contain @long', async ({
  browser,
  product,
  ada,
  grace,
  organizationName,
}) => {
  const nasty = (what: string) => `<img src=x onerror="window.top.name='${what}'">`;
  const owner = { ...ada, name: nasty('person') };
  const invited = { name: nasty('invited'), email: grace.email };
  const context = await browser.newContext({ baseURL: product.url, userAgent: nasty('device') });
  const attacked = await context.newPage();
  const organization = await signUpOrganization(
    attacked,
    owner,
    `${nasty('organization')} ${organizationName}`,
  );
  const link = await invite(attacked, organization, invited);
  await addProject(attacked, nasty('project'));
  const text = (words: string) => attacked.getByText(words).first();
  const visits: readonly (readonly [path: string, shown: Locator])[] = [
    ['/dashboard', attacked.getByTitle(nasty('person')).first()],
    ['/projects', text(nasty('project'))],
    ['/users', text(nasty('invited'))],
    ['/users?tab=audit', text(nasty('organization'))],
    ['/settings', attacked.getByTitle(nasty('person')).first()],
    ['/settings?tab=account', text(nasty('organization'))],
    ['/settings?tab=security', text('This session')],
    [new URL(link).pathname, text(nasty('organization'))],
    ['/dev/outbox', text('An organization invited you to Throughline')],
  ];
  for (const [path, shown] of visits) {
    await attacked.goto(path);
    await expect(shown, path).toBeVisible();
    expect(await attacked.locator('img[src="x"]').count(), path).toBe(0);
    expect(await attacked.evaluate(() => window.name), path).toBe('');
  }
  await attacked.goto('/dev/outbox');
  await attacked
    .getByRole('article')
    .filter({ hasText: grace.email })
    .getByRole('link', { name: 'As HTML' })
    .click();
  await expect(attacked.getByText('invited you to join')).toBeVisible();
  expect(await attacked.locator('img').count()).toBe(0);
  await context.close();
});

/** Returns two functions: one presses keys, and the other presses Tab until an element has the focus. */
function createKeyboard(page: Page) {
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);
  const pressUntil = async (key: string, target: Locator) => {
    await target.waitFor();
    for (let step = 0; step < 40 && !(await isFocused(target)); step += 1) await press(key);
    await expect(target).toBeFocused();
  };
  const tabTo = (role: 'button' | 'link' | 'tab', name: string) =>
    pressUntil('Tab', page.getByRole(role, { name, exact: true }).first());
  return { press, pressUntil, tabTo };
}

test('a user can register, open and cancel the 2FA dialog, and log out by keyboard alone @long', async ({
  page,
  ada,
}) => {
  const { press, tabTo } = createKeyboard(page);
  await page.goto('/');
  await tabTo('link', 'Get started');
  await press('Enter');
  await expect(page.getByRole('radio').first()).toBeVisible();
  const solo = page.getByRole('radio', { name: /solo/i });
  for (let step = 0; step < 10 && !(await solo.evaluate((one) => one === document.activeElement)); step += 1)
    await press('Tab');
  await press('Space');
  await tabTo('button', 'Continue');
  await press('Enter');
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.type(ada.name);
  await press('Tab');
  await page.keyboard.type(ada.email);
  await press('Tab');
  await page.keyboard.type(ada.password);
  while (!(await page.getByLabel('Confirm password').evaluate((one) => one === document.activeElement)))
    await press('Tab');
  await page.keyboard.type(ada.password);
  await press('Enter');
  await expect(page).toHaveURL(/\/app/);
  await tabTo('link', 'Settings');
  await press('Enter');
  await tabTo('tab', 'Profile');
  await press('ArrowRight', 'ArrowRight');
  await expect(page.getByRole('tab', { name: '2FA', selected: true })).toBeFocused();
  await tabTo('button', 'Enable 2FA');
  await press('Enter');
  await expect(page.getByLabel('Authenticator code')).toBeFocused();
  await press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Enable 2FA' })).toBeFocused();
  await page.reload();
  await tabTo('button', 'Logout');
  await press('Enter');
  await expect(page.getByLabel('Email')).toBeFocused();
});

test('inviting, changing roles, removing, joining and requesting a new password work by keyboard alone @long', async ({
  page,
  ada,
  grace,
  organizationName,
}) => {
  const { press, pressUntil, tabTo } = createKeyboard(page);
  const organization = await signUpOrganization(page, ada, organizationName);
  await addMember(page, organization, grace);
  await page.goto('/users');
  await tabTo('button', 'Add User');
  await press('Enter');
  await expect(page.getByLabel('Full Name')).toBeFocused();
  await page.keyboard.type(ina.name);
  await press('Tab');
  await page.keyboard.type(ina.email);
  await press('Enter');
  await expect(page.getByRole('button', { name: 'Done' })).toBeFocused();
  await press('Enter');
  await expect(page.getByRole('button', { name: 'Add User' })).toBeFocused();
  await tabTo('button', `Actions for ${grace.email}`);
  await press('Enter');
  await pressUntil('ArrowDown', page.getByRole('menuitem', { name: 'Change role' }));
  await press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change role' });
  await expect(dialog.getByRole('radio', { name: 'Developer' })).toBeFocused();
  await press('ArrowDown');
  await pressUntil('Tab', dialog.getByRole('button', { name: 'Change role' }));
  await press('Enter');
  await expect(page.getByText(`${grace.name} is now admin.`)).toBeVisible();
  await expect(page.getByRole('button', { name: `Actions for ${grace.email}` })).toBeFocused();
  await press('Enter');
  await pressUntil('ArrowDown', page.getByRole('menuitem', { name: 'Delete user' }));
  await press('Enter');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Delete User' })).toBeFocused();
  await press('Enter');
  await expect(page.getByText('User deleted successfully!')).toBeVisible();

  await page.evaluate(() => localStorage.clear());
  await page.goto(await mailLink(page, ina.email, '/invite/'));
  await tabTo('button', 'Accept Invitation & Login');
  await press('Enter');
  await pressUntil('Tab', page.getByLabel('Password', { exact: true }));
  await page.keyboard.type(ada.password);
  await pressUntil('Tab', page.getByLabel('Confirm password'));
  await page.keyboard.type(ada.password);
  await press('Enter');
  await expect(page).toHaveURL(/\/app/);

  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await tabTo('link', 'Forgot password?');
  await press('Enter');
  await expect(page.getByRole('button', { name: 'Send the link' })).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(ada.email);
  await press('Enter');
  await expect(page.getByText(/is on its way/)).toBeVisible();
});

// Runs only in the long tests: in `npm test`, widths.spec.ts checks the layout of these pages, and accessibility.spec.ts their
// accessibility.
test('the account and user pages fit a window of 360 px and pass the accessibility check @long', async ({
  page,
  ada,
  grace,
  organizationName,
}) => {
  test.slow();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const check = async (what: string) => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, what).toBeLessThanOrEqual(360);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectNoViolation(page, `${what}, ${colorScheme}`);
    }
  };
  await page.goto('/');
  await expect(page.getByRole('tree', { name: 'Steps' })).toBeVisible();
  await check('landing page');
  await page.goto('/login');
  await check('login');
  await page.goto('/register?type=organization');
  await check('registration of an organization');
  const organization = await signUpOrganization(page, ada, organizationName);
  await addMember(page, organization, grace);
  const link = await invite(page, organization, { ...ina, name: 'I'.repeat(100) });
  await page.goto('/users');
  await expect(page.getByRole('row', { name: new RegExp(grace.email) })).toBeVisible();
  await check('users');
  await page.getByRole('tab', { name: 'Audit log' }).click();
  await expect(page.getByRole('row', { name: /joined/ })).toBeVisible();
  await check('audit log');
  await page.goto('/settings?tab=security');
  await expect(page.getByText('This session')).toBeVisible();
  await check('security');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Rename organization' }).click();
  await expect(page.getByLabel('Organization slug')).toBeVisible();
  await check('renaming an organization');
  await page.goto('/settings?tab=2fa');
  await page.getByRole('button', { name: 'Enable 2FA' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await check('second factor');
  await page.goto(link);
  await expect(page.getByText(/you are logged in as/)).toBeVisible();
  await check('invitation');
});
