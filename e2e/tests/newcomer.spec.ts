import { expect, type Page, test } from '@playwright/test';
import { timeButton } from '../harness/pages/time-range.ts';
import { fillLogin } from '../harness/people/people.ts';
import { type Product, startWithDemo } from '../harness/server/product.ts';

// All tests share one product, because the product with the demo takes long to start.
test.describe.configure({ mode: 'default' });

let product: Product;
test.beforeAll(async () => {
  product = await startWithDemo();
});
test.afterAll(() => product.stop());

/** Returns the login of a role that the product printed when it started. */
async function printedLogin(role: string): Promise<{ email: string; password: string }> {
  const [, email = '', password = ''] = await product.process.printed(
    new RegExp(`${role}\\s+(\\S+@\\S+)\\s+(\\S+)`),
  );
  return { email, password };
}

async function tracesInAll(page: Page): Promise<number> {
  const caption = await page.getByText(/Showing [\d,]+ of [\d,]+ traces/).textContent();
  return Number(/of ([\d,]+)/.exec(caption ?? '')?.[1]?.replaceAll(',', '') ?? 0);
}

test('a user who opens the demo for the first time sees requests arrive and finds the wrong value in a failed checkout', async ({
  page,
}) => {
  await page.goto(product.url);
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page, await printedLogin('owner'));
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /Live$/ })).toBeVisible();

  // Requests arrive while the list is open.
  const table = page.getByRole('table', { name: 'Recent traces' });
  await expect(table.getByRole('row').nth(1)).toBeVisible({ timeout: 60_000 });
  await page.evaluate(() => Object.assign(window, { stillTheSamePage: true }));
  const before = await tracesInAll(page);
  await expect.poll(() => tracesInAll(page)).toBeGreaterThan(before);
  const newest = await table.getByRole('row').nth(1).getAttribute('data-row');
  await expect(table.getByRole('row').nth(1)).not.toHaveAttribute('data-row', newest ?? '');
  expect(await page.evaluate(() => 'stillTheSamePage' in window)).toBe(true);

  // Filters the list to failed requests.
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Error');
  await expect(page).toHaveURL(/status=error/);
  const failedCheckout = table.getByRole('row', { name: /POST \/checkout.* 500/ }).first();
  await expect(failedCheckout).toBeVisible({ timeout: 60_000 });
  await expect(table.getByRole('row', { name: / 20[01] / })).toHaveCount(0);

  // The failing step is open, with its values next to it.
  const details = page.getByRole('dialog', { name: 'Trace details' });
  // Rows move while failed requests arrive.
  await expect(async () => {
    await failedCheckout.getByRole('button', { name: 'View' }).click({ timeout: 5000 });
    await expect(details).toBeVisible({ timeout: 5000 });
  }).toPass({ timeout: 30_000 });
  const selected = details.getByRole('tree', { name: 'Steps' }).getByRole('treeitem', { selected: true });
  await expect(selected).toContainText('taxFor');
  const step = details.getByRole('region', { name: /^Step \d+: taxFor$/ });
  await expect(step).toContainText(/checkout\/tax\.ts:\d+/);
  await expect(step.getByRole('region', { name: 'Step error' })).toContainText("(reading 'rate')");
  await expect(step.getByRole('tree', { name: 'Parameters' })).toContainText('"UK"');
  await expect(step.getByRole('tree', { name: 'Parameters' })).toContainText('Map(27)');
  await expect(
    step.getByRole('tree', { name: 'Local variables' }).getByRole('treeitem', { name: /entry/ }),
  ).toContainText('undefined');

  // The customer's card number was redacted before the shop sent the trace.
  await details.getByRole('tab', { name: 'Request' }).click();
  await expect(details.getByRole('tabpanel')).toContainText('redacted');
  await expect(details).not.toContainText('4242');

  // Shows the same request as a graph.
  await details.getByRole('button', { name: 'Flow graph' }).click();
  const graph = page.getByRole('dialog', { name: 'Flow graph' });
  const nodes = graph.locator('.react-flow__node-entry');
  await expect(nodes.filter({ hasText: 'taxFor' })).toContainText('failed');
  await expect(nodes.filter({ hasText: 'answerError' })).not.toContainText('failed');
  await expect(nodes.filter({ hasText: 'taxFor' })).toContainText(/^\d+/);
  await expect(graph.locator('.react-flow__edge').first()).toBeAttached();
  await expect(graph).toContainText('Trace ID');

  // The URL opens the same graph again.
  await page.reload();
  await expect(nodes.filter({ hasText: 'taxFor' })).toContainText('failed');
});

test("the demo's analytics show two weeks of history", async ({ page }) => {
  await page.goto(`${product.url}/login`);
  await fillLogin(page, await printedLogin('owner'));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Analytics' }).click();
  await expect(timeButton(page)).toHaveAccessibleName('Time: Last 7 days');
  const insights = page.getByRole('region', { name: 'Insights' });
  // The demo's history continues to arrive while the page is open.
  await expect(async () => {
    await page.reload();
    await expect(insights.getByRole('article').filter({ hasText: 'GET /orders' })).toContainText('1.5.0', {
      timeout: 5000,
    });
    await expect(insights).toContainText("(reading 'rate')", { timeout: 1000 });
    await expect(insights).toContainText('/reports/sales', { timeout: 1000 });
  }).toPass({ timeout: 100_000 });
  await page.getByRole('tab', { name: 'Business Intelligence' }).click();
  await expect(page.getByRole('figure', { name: 'Conversion funnel' })).toContainText('3. Buy');
});

test('a developer of the demo sees the API key but cannot create a project @long', async ({ page }) => {
  await page.goto(`${product.url}/login`);
  await fillLogin(page, await printedLogin('developer'));
  await page.getByRole('link', { name: 'Projects' }).click();
  const card = page.getByRole('article', { name: 'shop' });
  await expect(card).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create Project' })).toHaveCount(0);
  await card.getByRole('button', { name: /More actions/ }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Settings']);
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: 'Manage API Key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Manage API Key' });
  await expect(dialog.getByRole('button', { name: 'Copy API key' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Regenerate' })).toHaveCount(0);
});

test('test traces of the demo service arrive in a project that the user created @long', async ({ page }) => {
  await page.goto(`${product.url}/login`);
  await fillLogin(page, await printedLogin('admin'));
  await expect(page.getByRole('table', { name: 'Recent traces' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Projects' }).click();
  await page.getByLabel('Project name').fill('empty so far');
  await page.getByRole('button', { name: 'Create Project' }).click();
  await page
    .getByRole('article', { name: 'empty so far' })
    .getByRole('link', { name: 'empty so far' })
    .click();
  await page.getByRole('button', { name: 'Send test traces' }).click();
  const table = page.getByRole('table', { name: 'Recent traces' });
  for (const path of ['/users', '/posts', '/health']) {
    await expect(table.getByRole('row', { name: new RegExp(`GET ${path}\\b`) }).first()).toBeVisible({
      timeout: 45_000,
    });
  }
  await expect(table).not.toContainText('__traffic');
});

test('one button removes the demo, and its owner cannot log in any more', async ({ page }) => {
  await page.goto(`${product.url}/login`);
  const owner = await printedLogin('owner');
  await fillLogin(page, owner);
  await page.getByRole('button', { name: 'Remove demo workspace' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove demo workspace' }).click();
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page, owner);
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid credentials' })).toBeVisible();
});
