import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { expectAccessibleInBoth, expectNoViolation } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import { chooseTime, timeButton } from '../harness/pages/time-range.ts';
import { addMember, signUpOrganization } from '../harness/people/organizations.ts';
import { type Account, fillLogin } from '../harness/people/people.ts';
import { addProject, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, plainRequest, sendTraces } from '../harness/traces/traces.ts';

const PHONE = { width: 360, height: 740 };

const viewsButton = (page: Page) => page.getByRole('button', { name: 'Views', exact: true });
const menuItem = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name });
const pinned = (page: Page) => page.getByRole('navigation', { name: 'Pinned views' });
const pinnedView = (page: Page, name: string) => pinned(page).getByRole('link', { name, exact: true });
const rows = (page: Page) => page.getByRole('table').locator('[data-row]');
const status = (page: Page) => page.getByRole('combobox', { name: 'Status' });

async function openMenu(page: Page): Promise<void> {
  await viewsButton(page).click();
  await expect(menuItem(page, 'Save this view…')).toBeVisible();
}

async function saveView(page: Page, name: string, options: { shared?: true; unpinned?: true } = {}) {
  await openMenu(page);
  await menuItem(page, 'Save this view…').click();
  const dialog = page.getByRole('dialog', { name: 'Save this view' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await dialog.getByLabel('Name').fill(name);
  if (options.shared) await dialog.getByRole('radio', { name: 'Everyone in the project' }).check();
  if (options.unpinned) await dialog.getByRole('checkbox', { name: 'Pin to the sidebar' }).uncheck();
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(dialog).toBeHidden();
}

async function manageViews(page: Page): Promise<Locator> {
  await openMenu(page);
  await menuItem(page, 'Manage views…').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Saved views' })).toBeVisible();
  return dialog;
}

async function openAs(browser: Browser, page: Page, account: Account): Promise<Page> {
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const other = await context.newPage();
  await other.goto('/login');
  await fillLogin(other, account);
  await expect(other).toHaveURL(/\/app/);
  return other;
}

test('a saved view can be opened from the sidebar of another tab, renamed, given other filters and deleted @long', async ({
  page,
  ada,
  context,
}) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date()), plainRequest('/orders', new Date())]);
  await page.goto('/dashboard');
  await expect(rows(page)).toHaveCount(2);
  await status(page).selectOption('Error');
  await expect(rows(page)).toHaveCount(1);
  await openMenu(page);
  await expect(page.getByText('No saved views yet.')).toBeVisible();
  await expectNoViolation(page, 'the menu without views');
  await page.keyboard.press('Escape');
  await expect(viewsButton(page)).toBeFocused();

  const long = `Failed ${'checkouts '.repeat(7)}`.trim();
  await saveView(page, long);
  await expect(pinnedView(page, long)).toHaveAttribute('aria-current', 'page');
  await expect(pinnedView(page, long)).toHaveAttribute('title', `${long} (Dashboard · orders)`);
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.reload();
  await expect(pinnedView(page, long)).toHaveAttribute('aria-current', 'page');
  await expectAccessibleInBoth(page, 'the dashboard with a pinned view');

  const tab = await context.newPage();
  await tab.goto('/projects');
  await pinnedView(tab, long).click();
  await expect(tab).toHaveURL(/\/dashboard\?.*status=error/);
  await expect(rows(tab)).toHaveCount(1);
  await tab.goto((await pinnedView(tab, long).getAttribute('href')) ?? '');
  await expect(rows(tab)).toHaveCount(1);
  await rows(tab).first().click();
  await expect(tab.getByRole('dialog', { name: 'Trace details' })).toBeVisible();
  await tab.keyboard.press('Escape');
  await expect(pinnedView(tab, long)).toHaveAttribute('aria-current', 'page');
  await status(tab).selectOption('Success');
  await expect(pinnedView(tab, long)).not.toHaveAttribute('aria-current');
  await tab.close();

  await saveView(page, ' second ', { unpinned: true });
  const dialog = await manageViews(page);
  await expect(dialog.locator('tbody tr')).toHaveText([/Failed.+1 filter · all time\s*Dashboard/, /second/]);
  await expectAccessibleInBoth(page, 'the saved views');
  await dialog.getByRole('button', { name: 'Rename: second' }).click();
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await dialog.getByLabel('Name').fill(long.toUpperCase());
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'The view could not be renamed. You have a view with this name',
  );
  await dialog.getByLabel('Name').fill('All orders');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Pin: All orders' }).click();
  await expect(pinned(page).getByRole('link')).toHaveText([long, 'All orders']);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(viewsButton(page)).toBeFocused();

  await status(page).selectOption('All');
  await manageViews(page);
  await dialog.getByRole('button', { name: 'Replace filters: All orders' }).click();
  await expect(dialog).toContainText(
    '“All orders” gets the current filters of this list: no filters, all time.',
  );
  await dialog.getByRole('button', { name: 'Replace filters' }).click();
  await expect(pinnedView(page, 'All orders')).toHaveAttribute('aria-current', 'page');
  await dialog.getByRole('button', { name: `Delete: ${long}` }).click();
  await dialog.getByRole('button', { name: 'Delete view' }).click();
  await expect(pinned(page).getByRole('link')).toHaveText(['All orders']);
  await dialog.getByRole('button', { name: 'Delete: All orders' }).click();
  await dialog.getByRole('button', { name: 'Delete view' }).click();
  await expect(dialog.getByText('No saved views yet.')).toBeVisible();
  await expect(pinned(page)).toHaveCount(0);
});

test('a colleague sees a shared view and can pin it, but cannot rename, change or delete it @long', async ({
  page,
  ada,
  grace,
  organizationName,
  browser,
}) => {
  const organization = await signUpOrganization(page, ada, organizationName);
  await addProject(page, 'orders');
  await sendTraces(page, [failedOrder(new Date()), plainRequest('/orders', new Date())]);
  await addMember(page, organization, grace);
  await page.goto('/dashboard?status=error');
  await expect(rows(page)).toHaveCount(1);
  await saveView(page, 'Failed for all', { shared: true });
  await saveView(page, 'Mine', { unpinned: true });

  const colleague = await openAs(browser, page, grace);
  await colleague.goto('/dashboard');
  await expect(rows(colleague)).toHaveCount(2);
  await expect(pinned(colleague)).toHaveCount(0);
  await openMenu(colleague);
  const group = colleague.getByRole('group', { name: 'Shared in the project' });
  await expect(group.getByRole('menuitem')).toHaveText(['Failed for all']);
  await expect(menuItem(colleague, 'Mine')).toHaveCount(0);
  await expectNoViolation(colleague, 'the menu with a shared view');
  await menuItem(colleague, 'Failed for all').click();
  await expect(rows(colleague)).toHaveCount(1);
  await expect(status(colleague)).toHaveValue('error');
  const dialog = await manageViews(colleague);
  await expect(dialog.locator('tbody tr')).toHaveText([/Failed for all.+by Ada Lovelace/]);
  await expect(dialog.getByRole('button', { name: /^(Rename|Replace|Delete)/ })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Pin: Failed for all' }).click();
  await expect(pinnedView(colleague, 'Failed for all')).toBeVisible();

  const own = await manageViews(page);
  await own.getByRole('button', { name: 'Share in the project: Mine' }).click();
  const shared = own.getByRole('table', { name: 'Shared in the project' });
  await expect(shared.locator('tbody tr')).toHaveCount(2);
  await own.getByRole('button', { name: 'Delete: Failed for all' }).click();
  await expect(own).toContainText('This deletes “Failed for all” for everyone in the project.');
  await own.getByRole('button', { name: 'Delete view' }).click();
  await expect(shared.locator('tbody tr')).toHaveCount(1);
  await colleague.reload();
  await expect(rows(colleague)).toHaveCount(1);
  await expect(pinned(colleague)).toHaveCount(0);
  await page.goto('/users?tab=audit');
  await expect(page.getByText(/deleted a shared view of the project.*orders, Failed for all/)).toBeVisible();
  await colleague.context().close();
});

test('a view with the range Last hour opens with this range and with its sort order @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await page.goto('/dashboard');
  await chooseTime(page, 'Last hour');
  await expect(page).toHaveURL(/last=1h/);
  await page.getByRole('button', { name: 'Duration', exact: true }).click();
  await expect(page).toHaveURL(/sort=duration/);
  await saveView(page, 'Slowest recently');
  await expect(pinnedView(page, 'Slowest recently')).toHaveAttribute('aria-current', 'page');
  await page.goto('/analytics?last=7d');
  await pinnedView(page, 'Slowest recently').click();
  await expect(page).toHaveURL(/\/dashboard\?/);
  await expect(timeButton(page)).toHaveText(/Last hour/);
  await expect(page.getByRole('columnheader', { name: 'Duration' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
});

test('a view of Raw Traces over all projects is personal, and the palette finds it @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await page.goto('/raw-traces?method=POST');
  await expect(rows(page)).toHaveCount(1);
  await openMenu(page);
  await expect(page.getByText('No saved views for “All projects” yet.')).toBeVisible();
  await menuItem(page, 'Save this view…').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio', { name: 'Everyone in the project' })).toBeDisabled();
  await dialog.getByLabel('Name').fill('Everything posted');
  await page.keyboard.press('Enter');
  await expect(pinnedView(page, 'Everything posted')).toBeVisible();
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /Page, view/ }).fill('posted');
  await expect(page.getByRole('option', { name: /Everything posted.*All projects.*Views/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/raw-traces\?method=POST$/);
  await expect(rows(page)).toHaveCount(1);
});

test('the menu of saved views is used by keyboard, and shows an error if views cannot be loaded @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await page.goto('/dashboard?status=error');
  await saveView(page, 'Failed');
  await page.route('**/api/views', (route) => route.fulfill({ status: 403, json: {} }));
  await page.goto('/dashboard');
  await expect(page.getByText('Pinned views could not be loaded. Try again')).toBeVisible();
  await openMenu(page);
  await expect(menuItem(page, 'Views could not be loaded. Try again')).toBeVisible();
  await expectNoViolation(page, 'the menu whose views could not be loaded');
  await page.unroute('**/api/views');
  await menuItem(page, /could not be loaded/).click();
  await expect(menuItem(page, /Failed/)).toBeVisible();
  await page.keyboard.press('Escape');
  await viewsButton(page).press('Enter');
  await expect(menuItem(page, /Failed/)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(menuItem(page, 'Save this view…')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/status=error/);
});

test('views are saved and opened on a phone @long', async ({ page, ada }) => {
  await page.setViewportSize(PHONE);
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await page.goto('/dashboard?status=error');
  await expect(rows(page)).toHaveCount(1);
  await saveView(page, `Failed ${'checkouts '.repeat(7)}`.trim());
  expect(await findLayoutFaults(page)).toEqual([]);
  await manageViews(page);
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.goto('/projects');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(pinned(page)).toBeVisible();
  expect(await findLayoutFaults(page)).toEqual([]);
  await pinned(page).getByRole('link').click();
  await expect(page).toHaveURL(/\/dashboard\?.*status=error/);
  await expect(page.getByRole('dialog')).toBeHidden();
});
