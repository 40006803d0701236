import { expect, type Page } from '@playwright/test';
import { signUpOrganization } from '../harness/people/organizations.ts';
import { createProject, register } from '../harness/people/people.ts';
import { addProject, signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, sendTraces } from '../harness/traces/traces.ts';

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

/** Checks that nothing extends beyond the window's right edge, so that the page does not scroll sideways. */
async function expectNoOverflow(page: Page, what: string): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, what).toBeLessThanOrEqual(360);
}

test('login, projects, trace list, trace details and flow graph fit a window of 360 px, and the menu opens', async ({
  page,
  ada,
}) => {
  await page.goto('/login');
  await expectNoOverflow(page, 'login');
  await register(page, ada);
  await expect(page.getByText('No projects yet')).toBeVisible();
  await expectNoOverflow(page, 'no projects');
  await createProject(page, 'a project whose name is so long that it does not fit into one line');
  await expectNoOverflow(page, 'projects');
  await page.goto('/dashboard');
  await expect(page.getByText('Waiting for your first trace…')).toBeVisible();
  await expectNoOverflow(page, 'waiting');

  const path = `/orders/${'x'.repeat(300)}`;
  const order = failedOrder(new Date());
  await sendTraces(page, [
    order,
    { ...order, spanId: 'abcdefabcdefabcd', request: { method: 'DELETE', path } },
  ]);
  await page.goto('/dashboard');
  const row = page.getByRole('row', { name: /POST \/orders\/17/ });
  await expect(row).toBeVisible();
  await expectNoOverflow(page, 'dashboard');
  await row.getByRole('button', { name: 'View' }).tap();
  const details = page.getByRole('dialog', { name: 'Trace details' });
  await expect(details.getByRole('tree', { name: 'Local variables' })).toBeVisible();
  await expectNoOverflow(page, 'details');
  await details.getByRole('button', { name: 'Flow graph' }).tap();
  await expect(page.locator('.react-flow__node-entry').filter({ hasText: 'taxOf' })).toBeVisible();
  await expectNoOverflow(page, 'flow graph');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();

  await page.getByRole('button', { name: 'Open menu' }).tap();
  await page.getByRole('dialog').getByRole('link', { name: 'Projects' }).tap();
  await expect(page).toHaveURL(/\/projects/);
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('a long email address is broken into lines in the dialog and in the message of an invitation @long', async ({
  page,
  ada,
  organizationName,
}) => {
  const email = 'grace.with.a.long.address@department.example.com';
  await signUpOrganization(page, ada, organizationName);
  await page.goto('/users');
  await page.getByRole('button', { name: 'Add User' }).tap();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Full Name').fill('Grace');
  await dialog.getByLabel('Email Address').fill(email);
  await dialog.getByRole('button', { name: 'Add User' }).tap();
  for (const text of [
    dialog.getByText(/receives this link/),
    page.getByText(`An invitation was sent to ${email}.`),
  ]) {
    await expect(text).toBeVisible();
    expect(await text.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  }
});

test('the setup commands wrap at spaces only, and a longer word scrolls within its line', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  await page.goto('/dashboard');
  const start = page.locator('pre').filter({ hasText: '--import' });
  await expect(start).toBeVisible();
  const broken = await start
    .locator('span')
    .evaluateAll((words) =>
      words.filter((word) => word.getClientRects().length > 1).map((word) => word.textContent),
    );
  expect(broken).toEqual([]);
  expect(await start.evaluate((line) => line.scrollWidth)).toBeGreaterThan(
    await start.evaluate((line) => line.clientWidth),
  );
  await expect(start).toHaveAttribute('data-more', 'after');
  await expectNoOverflow(page, 'setup commands');
});
