import { expect, type Page, test } from '@playwright/test';
import { functionCard } from '../harness/pages/function-graph.ts';
import { ada } from '../harness/people/people.ts';
import { addProject, signUp } from '../harness/people/signed-up.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { checkoutCalls } from '../harness/traces/checkout-calls.ts';
import { paidOrderTrace } from '../harness/traces/paid-order.ts';
import { reportTrace } from '../harness/traces/report-trace.ts';
import { sendTraces } from '../harness/traces/traces.ts';
import { shootNarrower } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);
const steps = (page: Page) => page.getByRole('tree', { name: 'Steps' });

/** Opens the list of a project with requests of two releases. The screenshots show requests of the newer release. */
async function openList(page: Page): Promise<void> {
  const checkout = (country: 'UK' | 'GB', user: string, seconds: number) => ({
    ...checkoutTrace({ at: secondsAgo(seconds), country, user, withSource: true }),
    user: { id: user },
  });
  await signUp(page, ada);
  await addProject(page, 'orders');
  await sendTraces(
    page,
    [600, 610, 620].map((seconds) => checkout('GB', `u-${seconds}`, seconds)),
    { name: 'orders', release: '1.4.1' },
  );
  await sendTraces(
    page,
    [
      ...[5, 15, 25, 35].map((seconds) => checkout('UK', `u-${seconds}`, seconds)),
      ...[60, 90, 120].map((seconds) => checkout('GB', `u-${seconds}`, seconds)),
      paidOrderTrace(secondsAgo(40)),
      checkoutCalls({ at: secondsAgo(50), steps: 200 }),
      reportTrace({ startedAt: secondsAgo(70), days: 120, queryMs: 20 }),
    ],
    { name: 'orders', release: '1.4.2' },
  );
  await page.goto('/dashboard');
  await expect(page.locator('[data-row]')).toHaveCount(13);
}

async function openTrace(page: Page, row: RegExp): Promise<void> {
  await page.goto('/dashboard');
  await page.getByRole('row', { name: row }).first().getByRole('button', { name: 'View' }).click();
  await expect(steps(page)).toBeVisible();
}

test('screenshots show the pages on which the cause of a failure is found', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: product.url });
  await openList(page);
  await openTrace(page, /\/checkout.* 500/);
  await expect(page.getByRole('region', { name: 'What stands out' }).getByRole('listitem')).toHaveCount(2);
  await shootNarrower(page, 'diagnosis-failed');
  await page.getByRole('tab', { name: 'Source' }).click();
  await expect(page.getByRole('option', { name: /taxFor/ })).toContainText('const rate = entry.rate;');
  await shootNarrower(page, 'diagnosis-source');
  await page.getByRole('button', { name: 'Compare with a successful request' }).click();
  await expect(page.getByRole('region', { name: 'Comparison' })).toBeVisible();
  await shootNarrower(page, 'diagnosis-comparison');

  await openTrace(page, /\/checkout\/200/);
  await page.getByRole('button', { name: 'Flow graph' }).click();
  await page.getByRole('radiogroup', { name: 'Graph of' }).getByText('Functions').click();
  await expect(functionCard(page, 'taxFor')).toBeVisible();
  await shootNarrower(page, 'diagnosis-functions');

  await openTrace(page, /POST.*\/orders/);
  await steps(page).getByRole('treeitem').filter({ hasText: 'saveOrder' }).first().click();
  await expect(page.getByRole('region', { name: /^Step 2: saveOrder/ })).toBeVisible();
  // The keyboard focus is on the tree, and the tree's first item, the buyer, is selected.
  const values = page.getByRole('tree', { name: 'Parameters' });
  await expect(values.getByRole('treeitem', { selected: true })).toContainText('buyer');
  await values.press('w');
  await expect(page.getByRole('list', { name: 'Path of the value' })).toBeVisible();
  await shootNarrower(page, 'diagnosis-value-path');
});

test('screenshots show the affected users of an error, and how the menu Views opens the slowest endpoints of a release', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: product.url });
  await signUp(page, { ...ada, email: 'lead@example.com' });
  await addProject(page, 'orders');
  const users = ['ada@example.com', 'u-17', 'grace', 'u-9'];
  const failed = Array.from({ length: 9 }, (_, index) => ({
    ...checkoutTrace({ at: secondsAgo(10 + index), country: 'UK', user: 'u' }),
    user: { id: users[index % users.length] },
  }));
  const report = reportTrace({ startedAt: secondsAgo(70), days: 12, queryMs: 20 });
  await sendTraces(page, [...failed, report], { name: 'orders', release: '1.4.2' });
  await page.goto('/errors');
  await page.getByRole('link', { name: /^Cannot read .*reading 'rate'/ }).click();
  await expect(page.getByRole('region', { name: 'Affected users' })).toBeVisible();
  await shootNarrower(page, 'error-users');
  await page.route(/\/comparison\?/, () => {});
  await page.reload();
  await expect(page.getByRole('region', { name: 'Affected users' })).toBeVisible();
  await shootNarrower(page, 'error-comparison-loading');
  await page.unroute(/\/comparison\?/);
  await page.route(/\/comparison\?/, (route) => route.fulfill({ status: 503, json: {} }));
  await page.reload();
  await expect(page.getByText('The comparison could not be loaded.')).toBeVisible();
  await shootNarrower(page, 'error-comparison-failed');
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  const slowest = page.getByRole('menuitem', { name: 'Slowest endpoints' });
  await expect(slowest).toBeVisible();
  await shootNarrower(page, 'views-of-release');
  await slowest.click();
  await expect(page.getByRole('table', { name: 'Traces by endpoint' })).toBeVisible();
  await shootNarrower(page, 'slowest-endpoints');
});
