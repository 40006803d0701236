import { type Browser, expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth, expectNoViolation } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder } from '../harness/traces/traces.ts';

const PHONE = { width: 360, height: 740 };
const ENDED = 'This link no longer works';

/** Opens a page without a session. */
async function openAsBearer(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: new URL(url).origin });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function openTracePage(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'View', exact: true }).first().click();
  await page.getByRole('link', { name: 'Open as page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '/orders/17' })).toBeVisible();
}

async function createLink(page: Page, values: 'Masked' | 'Shown'): Promise<string> {
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this trace' });
  await dialog.getByRole('radio', { name: values }).check();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = dialog.getByRole('textbox', { name: 'New link' });
  await expect(link).toHaveValue(/\/shared\/[\w-]{43}$/);
  return link.inputValue();
}

test('a masked link shows the trace without an account and without values, until it is revoked', async ({
  page,
  ada,
  browser,
}) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await openTracePage(page);
  const url = await createLink(page, 'Masked');
  const dialog = page.getByRole('dialog', { name: 'Share this trace' });
  const links = dialog.getByRole('list', { name: 'Active links' });
  await expect(links.getByRole('listitem')).toHaveText([/Values masked.*created .+· expires \d{4}-/]);
  await expectNoViolation(page, 'the dialog that shares a trace');

  const bearer = await openAsBearer(browser, url);
  await expect(bearer.getByText(/Shared trace · values masked · link expires \d{4}-/)).toBeVisible();
  await expect(bearer.getByRole('heading', { level: 1, name: '/orders/:id' })).toBeVisible();
  const step = bearer.getByRole('treeitem', { name: /taxOf/ });
  await step.click();
  await expect(bearer.getByText('src/tax.ts:18').last()).toBeVisible();
  for (const value of ['UK', 'no rate', 'not bold', 'Something went wrong', '/orders/17']) {
    await expect(bearer.getByText(value)).toHaveCount(0);
  }
  for (const name of ['Share', /Compare/, 'Delete']) {
    await expect(bearer.getByRole('button', { name })).toHaveCount(0);
  }
  await expect(bearer.getByRole('link', { name: 'All traces' })).toHaveCount(0);
  await expectAccessibleInBoth(bearer, 'a shared trace');
  await bearer.reload();
  await expect(step).toBeVisible();

  await links.getByRole('button', { name: 'Revoke' }).click();
  await expect(dialog.getByText('The link was revoked.')).toBeVisible();
  await expect(dialog.getByText('This trace has no links.')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'New link' })).toHaveCount(0);
  await bearer.reload();
  await expect(bearer.getByText(ENDED)).toBeVisible();
  await expectNoViolation(bearer, 'a link that has ended');
  await bearer.goto(`/shared/${'A'.repeat(43)}`);
  await expect(bearer.getByText(ENDED)).toBeVisible();
  await bearer.context().close();
});

test('a link with values shows the values, and its views do not call the API of traces or projects @long', async ({
  page,
  ada,
  browser,
}) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await openTracePage(page);
  const bearer = await openAsBearer(browser, await createLink(page, 'Shown'));
  const calls: string[] = [];
  bearer.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await bearer.reload();
  await expect(bearer.getByText(/values shown/)).toBeVisible();
  await bearer.getByRole('treeitem', { name: /taxOf/ }).click();
  await expect(bearer.getByText('UK').first()).toBeVisible();
  for (const tab of ['Flame graph', 'Timeline', 'Sequence', 'Source', 'Response', 'Performance', 'Request']) {
    await bearer.getByRole('tab', { name: tab }).click();
    await expect(bearer.getByRole('alert')).toHaveCount(0);
  }
  await expect(bearer.getByText('not bold')).toBeVisible();
  await bearer.getByRole('button', { name: 'Flow graph' }).click();
  await expect(bearer.getByRole('region', { name: 'Flow graph' })).toBeVisible();
  const own = calls.filter((path) => path.startsWith('/api/') && !path.startsWith('/api/shared/'));
  expect(own.filter((path) => /traces|projects/.test(path))).toEqual([]);
  await bearer.context().close();
});

test('a signed-in user who opens a masked link sees the shared page without values, and their own page of the trace still shows the values @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await openTracePage(page);
  const address = page.url();
  await page.goto(await createLink(page, 'Masked'));
  await expect(page.getByText(/values masked/)).toBeVisible();
  await expect(page.getByText('no rate')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Compare/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Open the dashboard' }).click();
  await page.goto(address);
  await expect(page.getByText('no rate').first()).toBeVisible();
});

test('project settings list the links to traces and can revoke them @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await openTracePage(page);
  await createLink(page, 'Shown');
  await page.goto('/projects');
  await page.getByRole('button', { name: 'More actions for orders' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const section = page.getByRole('region', { name: 'Shared traces' });
  const row = section.getByRole('table', { name: 'Links to traces' }).locator('tbody tr');
  await expect(row.locator('[data-label="Values"]')).toHaveText('shown');
  await expect(row.locator('[data-label="Expires"]')).toHaveText(/^\d{4}-/);
  await expect(row.getByRole('link', { name: '/orders/17' })).toHaveAttribute('href', /^\/traces\//);
  await expectNoViolation(page, 'settings with a shared trace');
  await row.getByRole('button', { name: 'Revoke' }).click();
  await expect(section.getByText('No trace is shared.')).toBeVisible();
});

test('Escape closes the share dialog, and the trace stays open @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'View', exact: true }).first().click();
  const trace = page.getByRole('dialog', { name: 'Trace details' });
  await createLink(page, 'Masked');
  const dialog = page.getByRole('dialog', { name: 'Share this trace' });
  await expectNoViolation(page, 'the dialog that shares, over the trace');
  await expect(dialog.getByRole('textbox', { name: 'New link' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect(dialog.getByText('This trace has no links.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(trace).toBeVisible();
  await expect(page.getByRole('button', { name: 'Share' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(trace).toHaveCount(0);
});

test('the dialog and the shared page fit a phone @long', async ({ page, ada, browser }) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await openTracePage(page);
  await page.setViewportSize(PHONE);
  const url = await createLink(page, 'Masked');
  await expect(page.getByRole('list', { name: 'Active links' })).toBeVisible();
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.goto(url);
  await page.setViewportSize(PHONE);
  await expect(page.getByText(/values masked/)).toBeVisible();
  expect(await findLayoutFaults(page)).toEqual([]);
  const bearer = await openAsBearer(browser, url);
  await bearer.setViewportSize(PHONE);
  await expect(bearer.getByRole('treeitem', { name: /taxOf/ })).toBeVisible();
  expect(await findLayoutFaults(bearer)).toEqual([]);
  await bearer.context().close();
});
