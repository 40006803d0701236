import { expect } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { createProject, register, registerOrganization } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder } from '../harness/traces/traces.ts';

test('the signed-out pages pass the accessibility check, in light and in dark @long', async ({ page }) => {
  const check = (what: string) => expectAccessibleInBoth(page, what);
  await page.goto('/');
  await expect(page.getByRole('tree', { name: 'Local variables' })).toBeVisible();
  await check('landing page');
  await page.goto('/forgot-password');
  await check('forgotten password');
  await page.goto('/verify-email');
  await check('confirming an address without a link');
  await page.goto('/reset-password?token=x');
  await check('new password');
  await page.goto('/login');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await check('login, refused');
  await page.goto('/register');
  await expect(page.getByRole('radio').first()).toBeVisible();
  await check('account types');
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await check('not found');
});

test('the pages of a new account pass the accessibility check, in light and in dark @long', async ({
  page,
  ada,
}) => {
  const check = (what: string) => expectAccessibleInBoth(page, what);
  await page.goto('/register');
  await register(page, ada);
  await expect(page.getByText('No projects yet')).toBeVisible();
  await check('dashboard without projects');
  await createProject(page, 'orders');
  await check('projects');
  await page.getByRole('button', { name: 'Manage API Key' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copy API key' })).toBeVisible();
  await check('API key');
  await page.goto('/dashboard');
  await expect(page.getByText('Waiting for your first trace…')).toBeVisible();
  await check('waiting for the first trace');
});

test('the dashboard and a trace pass the accessibility check, in light and in dark', async ({
  page,
  ada,
}) => {
  const check = (what: string) => expectAccessibleInBoth(page, what);
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await page.goto('/dashboard');
  await expect(page.getByRole('row', { name: /POST \/orders\/17/ })).toBeVisible();
  await check('dashboard');
  await page.getByRole('button', { name: 'View', exact: true }).click();
  const details = page.getByRole('dialog', { name: 'Trace details' });
  await expect(details.getByRole('tree', { name: 'Local variables' })).toBeVisible();
  await check('trace details');
  for (const tab of ['Request', 'Response', 'Performance']) {
    await details.getByRole('tab', { name: tab }).click();
    await check(`trace details, ${tab}`);
  }
  await details.getByRole('button', { name: 'Flow graph' }).click();
  await expect(page.locator('.react-flow__node-entry').filter({ hasText: 'taxOf' })).toBeVisible();
  await check('flow graph');
});

test('the account and user pages pass the accessibility check, in light and in dark @long', async ({
  page,
  ada,
  grace,
  organizationName,
}) => {
  const check = (what: string) => expectAccessibleInBoth(page, what);
  await registerOrganization(page, ada, organizationName);
  await page.goto('/users');
  await expect(page.getByText('No developers yet')).toBeVisible();
  await check('users');
  await page.getByRole('button', { name: 'Add User' }).click({ force: true });
  await check('upgrade required');
  await page.goto('/billing');
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Upgrade Now' }).click();
  await expect(page.getByText(/Successfully upgraded/)).toBeVisible();
  await check('plans');
  await page.goto('/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await page.getByLabel('Full Name').fill('Grace');
  await page.getByLabel('Email Address').fill(grace.email);
  await check('add a user');
  await page.getByRole('dialog').getByRole('button', { name: 'Add User' }).click();
  const link = page.getByRole('textbox', { name: 'Invitation link' });
  await expect(link).toBeVisible();
  await check('invitation sent');
  const invitation = await link.inputValue();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row', { name: new RegExp(grace.email) })).toBeVisible();
  await check('users, one invited');
  await page.getByRole('tab', { name: 'Audit log' }).click();
  await expect(page.getByRole('row', { name: /invited/ })).toBeVisible();
  await check('audit log');
  for (const tab of ['Profile', 'Security', '2FA', 'Account']) {
    await page.goto(`/settings?tab=${tab.toLowerCase()}`);
    await expect(page.getByRole('tab', { name: tab, selected: true })).toBeVisible();
    await check(`settings, ${tab}`);
  }
  await page.goto('/settings?tab=2fa');
  await page.getByRole('button', { name: 'Enable 2FA' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await check('second factor');
  await page.goto(invitation);
  await expect(page.getByText(/you are logged in as/)).toBeVisible();
  await check('invitation for somebody else');
  await page.getByRole('button', { name: /Log out and continue/ }).click();
  await page.getByRole('button', { name: /Accept Invitation/ }).click();
  await expect(page).toHaveURL(/register/);
  await check('registration with an invitation');
});

test('captured text is shown as text, never as HTML @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('tab', { name: 'Request' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('<b>not bold</b>');
});

test('a failed request can be opened and read by keyboard alone', async ({ page, ada }) => {
  const earlier = new Date(Date.now() - 60_000);
  await signUpWithTraces(page, ada, [
    failedOrder(new Date()),
    { ...failedOrder(earlier), request: { method: 'GET', path: '/second' } },
  ]);
  await page.goto('/projects');
  await page.getByRole('button', { name: 'Logout' }).click();

  // On the login page, the first field has the focus.
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(ada.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(ada.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/app/);

  // The first Tab on a page focuses the link that skips to the content.
  await expect(page.getByRole('row', { name: /\/orders\/17/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('row', { name: /\/orders\/17/ })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: /Search/ })).toBeFocused();
  await page.keyboard.type('second');
  await expect(page).toHaveURL(/q=second/);
  await expect(page.getByRole('row', { name: /\/orders\/17/ })).toBeHidden();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('row', { name: /\/orders\/17/ })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.keyboard.press('j');
  const first = page.getByRole('row', { name: /\/orders\/17/ });
  await expect(first).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.getByRole('row', { name: /\/second/ })).toBeFocused();
  await page.keyboard.press('k');
  await expect(first).toBeFocused();
  await page.keyboard.press('Enter');

  const details = page.getByRole('dialog', { name: 'Trace details' });
  const steps = details.getByRole('tree', { name: 'Steps' });
  const selected = steps.getByRole('treeitem', { selected: true });
  await expect(selected).toContainText('taxOf');
  await steps.focus();
  await page.keyboard.press('Home');
  await expect(selected).toContainText('authenticate');
  await page.keyboard.press('ArrowDown');
  await expect(selected).toContainText('createOrder');
  await page.keyboard.press('ArrowLeft');
  await expect(steps.getByRole('treeitem', { name: /taxOf/ })).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('e');
  await expect(selected).toContainText('taxOf');
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();
  await expect(first).toBeFocused();
});
