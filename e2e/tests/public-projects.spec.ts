import { type Browser, expect, type Page } from '@playwright/test';
import { expectAccessible, expectNoViolation } from '../harness/browser/accessible.ts';
import { ada as firstAccount } from '../harness/people/people.ts';
import { addProject, signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test as ownServer } from '../harness/server/fixtures.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, plainRequest, sendTraces } from '../harness/traces/traces.ts';

/** Opens a page without a session. */
async function openPublicViewer(browser: Browser, page: Page): Promise<Page> {
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  return context.newPage();
}

async function openSettings(page: Page): Promise<void> {
  await page.goto('/projects');
  await page.getByRole('button', { name: 'More actions for orders' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings of orders' })).toBeVisible();
}

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Make public…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make this project public?' });
  await expect(dialog).toContainText('They do not see');
  await expect(dialog.getByRole('button', { name: 'Make public' })).toBeDisabled();
  await dialog.getByRole('checkbox').check();
  await expectNoViolation(page, 'the warning');
  await dialog.getByRole('button', { name: 'Make public' }).click();
  await expect(page.getByText('orders is public.')).toBeVisible();
}

ownServer(
  'a project is made public after a warning, and public viewers can open it without seeing values @long',
  async ({ page, browser }) => {
    await signUpWithTraces(page, firstAccount, [
      failedOrder(new Date()),
      plainRequest('/secret-path', new Date()),
    ]);
    await openSettings(page);
    const viewer = await openPublicViewer(browser, page);
    await viewer.goto('/');
    await expect(viewer.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(viewer.getByRole('heading', { name: 'Public projects' })).toHaveCount(0);
    await publish(page);
    const list = await page.context().newPage();
    await list.goto('/projects');
    await expect(list.getByText('Public', { exact: true })).toBeVisible();
    await expectAccessible(list, 'the list with a public project');
    await list.close();

    await viewer.goto('/');
    await viewer.getByRole('link', { name: 'orders', exact: true }).click();
    await expect(viewer.getByRole('heading', { name: 'orders' })).toBeVisible();
    await expect(viewer.getByText('Showing 2 of 2 traces')).toBeVisible();
    await expect(viewer.getByText('/secret-path')).toHaveCount(0);
    await expectNoViolation(viewer, "a public project's traces");
    await viewer.getByLabel('Status').selectOption('error');
    await expect(viewer.getByText('Showing 1 of 1 traces')).toBeVisible();
    await expect(viewer).toHaveURL(/status=error/);

    await viewer.getByRole('link', { name: '/orders/:id' }).click();
    await expect(viewer.getByText('every value is masked')).toBeVisible();
    const step = viewer.getByRole('treeitem', { name: /taxOf/ });
    await step.click();
    await expect(viewer.getByText('src/tax.ts:18').last()).toBeVisible();
    for (const value of ['UK', 'no rate', 'not bold', 'Something went wrong']) {
      await expect(viewer.getByText(value)).toHaveCount(0);
    }
    await expectAccessible(viewer, "a public project's trace");
    const address = viewer.url();
    await viewer.reload();
    await expect(step).toBeVisible();

    // The project is private again: the same URL requires a login.
    await page.getByRole('button', { name: 'Make private' }).click();
    await expect(page.getByText('orders is private.')).toBeVisible();
    await viewer.goto(address);
    await expect(viewer).toHaveURL(/\/login\?from=/);
    await viewer.goto(`/public/${new URL(page.url()).pathname.split('/')[2]}`);
    await expect(viewer.getByText('There is no public project here')).toBeVisible();
    await viewer.goto('/');
    await expect(viewer.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(viewer.getByRole('link', { name: 'orders', exact: true })).toHaveCount(0);
    await viewer.context().close();
  },
);

test('redaction rules can be previewed on a stored trace before they are saved @long', async ({
  page,
  ada,
}) => {
  const order = (note: string) => ({
    ...plainRequest('/orders', new Date()),
    request: { method: 'POST', path: '/orders', body: { customerRef: note, items: [{ note }] } },
  });
  await signUpWithTraces(page, ada, [order('before')]);
  await openSettings(page);
  const names = page.getByLabel('Field names');
  await names.fill('(a+)+$');
  await expect(page.getByText(/is not a name: keys are compared word by word/)).toBeVisible();
  const section = page.getByRole('form', { name: 'Redaction' });
  await expect(section.getByRole('button', { name: 'Save' })).toBeDisabled();
  await names.fill('customerRef');
  await page.getByLabel('Paths').fill('request.body.items.*.note');
  await page.getByLabel('Try on a stored trace').selectOption({ index: 1 });
  const places = page.getByRole('list', { name: /Would be removed from this trace: 2 places/ });
  await expect(places.getByRole('listitem')).toHaveText([
    'request.body.customerRef',
    'request.body.items.0.note',
  ]);
  await expectNoViolation(page, 'settings of a project');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Applies to new traces.')).toBeVisible();
  await page.reload();
  await expect(names).toHaveValue('customerRef');
  await sendTraces(page, [order('after')]);
  await page.goto('/raw-traces');
  await page.getByRole('button', { name: 'View Raw' }).first().click();
  const json = page.getByRole('dialog');
  await expect(json).toContainText('redacted');
  await expect(json.getByText('after')).toHaveCount(0);
});

test('the capture settings of a project are saved, and shown again after a reload @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  await openSettings(page);
  const section = page.getByRole('form', { name: 'Capture' });
  await section.getByLabel('What to record').selectOption('Functions without values');
  await section.getByLabel('Sample rate (%)').fill('25');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Services pick it up with their next batch')).toBeVisible();
  await page.reload();
  await expect(section.getByLabel('What to record')).toHaveValue('structure');
  await expect(section.getByLabel('Sample rate (%)')).toHaveValue('25');
  await section.getByLabel('Sample rate (%)').fill('');
  await section.getByRole('button', { name: 'Save' }).click();
  await page.reload();
  await expect(section.getByLabel('Sample rate (%)')).toHaveValue('');
});

test('the settings of an unknown project show a not-found message @long', async ({ page, ada }) => {
  await signUp(page, ada);
  await page.goto('/projects/01a1fe03-bb50-7231-9674-6d3e7bef65b1/settings');
  await expect(page.getByText('There is no such project here')).toBeVisible();
});
