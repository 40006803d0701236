import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import {
  chart,
  figure,
  requests,
  savedBy,
  signUpWithFigures,
  TABS,
  tab,
  table,
} from '../harness/pages/analytics.ts';
import { signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { failedOrder, sendTraces } from '../harness/traces/traces.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Checks that every chart of the open tab has buttons for a table, a picture and a CSV file. */
async function expectTools(page: Page, charts: number) {
  await expect(page.getByRole('figure')).toHaveCount(charts);
  for (const name of ['Show as table', 'Save as PNG', 'Save as CSV']) {
    await expect(page.getByRole('figure').getByRole('button', { name })).toHaveCount(charts);
  }
}

test('the seven tabs of Analytics show the aggregated requests, and numbers link to their traces', async ({
  page,
  ada,
  organizationName,
}) => {
  await signUpWithFigures(page, ada, organizationName, requests());
  await page.goto('/app');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Analytics' }).click();
  await expect(page).toHaveURL(/\/analytics\?project=/);
  await expect(page.getByRole('tab')).toHaveText(TABS.map(({ name }) => name));

  await expect(figure(page, 'Total Traces')).toHaveText('15');
  await expect(figure(page, 'Error Traces')).toHaveText('3');
  await expect(figure(page, 'Error Rate')).toHaveText('20.0 %');
  await expect(figure(page, 'Avg Response Time')).toHaveText('257 ms');
  await expect(chart(page, 'Request volume by minute')).toBeVisible();
  await expect(chart(page, 'Success versus error')).toContainText('12 · 80.0 %');
  await expect(table(page, 'Top Endpoints').locator('tbody tr')).toHaveCount(5);
  await page
    .getByRole('region', { name: 'Top Endpoints' })
    .first()
    .getByRole('button', { name: 'Show all 7' })
    .click();
  await expect(table(page, 'Top Endpoints').locator('tbody tr')).toHaveCount(7);
  await expect(table(page, 'Recent Traces').getByRole('columnheader')).toHaveText([
    'Endpoint',
    'Trace ID',
    'Status',
    'Duration',
    'Timestamp',
    'Result',
  ]);
  await expectTools(page, 3);
  await expectNoViolation(page, 'overview');

  await tab(page, 'Performance').click();
  await expect(page).toHaveURL(/tab=performance/);
  await expect(chart(page, 'Response time percentiles')).toBeVisible();
  await expect(chart(page, 'Latency heatmap')).toBeVisible();
  await expect(chart(page, 'Response time by endpoint')).toContainText('POST /orders/:id');
  await expect(chart(page, 'Top endpoints by volume')).toContainText('3 requests');
  await expect(table(page, 'Endpoints').getByRole('row', { name: /orders/ })).toContainText('1.23 s');
  await expectTools(page, 4);
  await expectNoViolation(page, 'performance');

  await tab(page, 'Errors').click();
  await expect(figure(page, 'Errors')).toHaveText('3');
  await expect(chart(page, 'Error trends')).toBeVisible();
  await expect(table(page, 'Most common errors')).toContainText('no rate');
  await expect(table(page, 'Errors by endpoint').locator('tbody tr')).toHaveCount(1);
  await expect(chart(page, 'Failed requests by status')).toContainText('500');
  await expectTools(page, 3);
  await expectNoViolation(page, 'errors');

  await tab(page, 'Flow Analysis').click();
  await expect(figure(page, 'Max flow length')).toHaveText('15 steps');
  await expect(chart(page, 'Flow complexity distribution')).toContainText('Complex (5+ steps)');
  await expect(table(page, 'Step patterns')).toContainText('loadPart');
  await expect(chart(page, 'Service map')).toContainText('orders');
  await expectTools(page, 2);
  await expectNoViolation(page, 'flow analysis');

  await tab(page, 'System Metrics').click();
  await expect(figure(page, 'Total requests')).toHaveText('15');
  await expect(figure(page, 'Avg memory')).toHaveText('50.2 MB');
  await expect(chart(page, 'Event loop delay over time')).toBeVisible();
  await expectTools(page, 4);
  await expectNoViolation(page, 'system metrics');

  await tab(page, 'User Analytics').click();
  await expect(figure(page, 'Active users')).toHaveText('2');
  await expect(figure(page, 'Sessions')).toHaveText('2');
  await expect(table(page, 'Top users')).toContainText('user-1');
  await expect(chart(page, 'Requests by country').locator('path').first()).toBeVisible();
  await expectTools(page, 2);
  await expectNoViolation(page, 'user analytics');

  await tab(page, 'Business Intelligence').click();
  await expect(table(page, 'Endpoint usage')).toContainText('20.0 %');
  await expect(table(page, 'Feature usage').getByRole('row', { name: /page0/ })).toContainText('50.0 %');
  await expectTools(page, 1);
  await expectNoViolation(page, 'business intelligence');

  await tab(page, 'Overview').click();
  await figure(page, 'Error Traces').getByRole('link').click();
  await expect(page).toHaveURL(/\/dashboard\?.*status=error/);
  await expect(page.getByText('Showing 3 of 3 traces')).toBeVisible();
  await page.goBack();
  await table(page, 'Top Endpoints').getByRole('link', { name: 'Filter out /orders/:id' }).click();
  await expect(page.getByRole('group', { name: 'Active filters' })).toContainText('-endpoint:/orders/:id');
  await page.goBack();
  await table(page, 'Top Endpoints').getByRole('link', { name: '/orders/:id', exact: true }).click();
  await expect(page.getByRole('group', { name: 'Active filters' })).toContainText('/orders/:id');
  await expect(page.getByText('Showing 3 of 3 traces')).toBeVisible();
  await expectNoViolation(page, 'traces of an endpoint');
  await page.getByRole('button', { name: 'Remove filter: endpoint:/orders/:id' }).click();
  await expect(page).not.toHaveURL(/endpoint=/);
});

/**
 * Links to the trace list. `tab` and `in`: where the link is. `narrowed`: text of the filter that the link adds. `traces`: number of traces
 * in the filtered list.
 */
const LEADS = [
  { tab: 'Errors', in: 'Most common errors', link: /^Count 3/, narrowed: 'no rate', traces: 3 },
  { tab: 'Flow Analysis', in: 'Flow complexity distribution', link: /^Complex/, narrowed: '5', traces: 3 },
  { tab: 'Flow Analysis', in: 'Step patterns', link: /^Errors 3/, narrowed: 'stepStatus:error', traces: 3 },
  { tab: 'User Analytics', in: 'Top users', link: 'user-1', narrowed: 'user-1', traces: 6 },
  { tab: 'User Analytics', in: 'Locations', link: 'Germany', narrowed: 'Germany', traces: 12 },
] as const;

test('users, countries, errors and steps link to the traces in which they occur @long', async ({
  page,
  ada,
  organizationName,
}) => {
  await signUpWithFigures(page, ada, organizationName, requests());
  await page.goto('/analytics');
  for (const lead of LEADS) {
    await tab(page, lead.tab).click();
    await page
      .getByRole('figure', { name: lead.in })
      .or(page.getByRole('table', { name: lead.in, exact: true }))
      .getByRole('link', { name: lead.link })
      .first()
      .click();
    const narrowed = page.getByRole('group', { name: 'Active filters' });
    await expect(narrowed).toContainText(lead.narrowed);
    await expect(page.getByText(`Showing ${lead.traces} of ${lead.traces} traces`)).toBeVisible();
    await page.goBack();
  }
});

test('without traces, each tab of Analytics explains what is missing @long', async ({
  page,
  ada,
  organizationName,
}) => {
  await signUpWithFigures(page, ada, organizationName, []);
  await page.goto('/analytics');
  for (const { name, empty } of TABS) {
    await tab(page, name).click();
    await expect(page.getByText(empty)).toBeVisible();
  }
  await expectNoViolation(page, 'no figures');
});

test('without a project, Analytics asks the user to select a project @long', async ({ page, ada }) => {
  await signUp(page, ada);
  await page.goto('/analytics');
  await expect(page.getByText('Please select a project to view analytics')).toBeVisible();
  await expectNoViolation(page, 'no project');
});

test('a chart can be read by keyboard, zoomed, shown as a table, and saved @long', async ({
  page,
  ada,
  organizationName,
}) => {
  await signUpWithFigures(page, ada, organizationName, requests());
  const [first, today] = [6, 0].map((ago) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10));
  await page.goto(`/analytics?tab=performance&start=${first}&end=${today}`);
  const percentiles = chart(page, 'Response time percentiles');
  const picture = percentiles.getByRole('application');
  await picture.focus();
  await page.keyboard.press('Home');
  await expect(percentiles.getByRole('status')).toContainText('P50 –, P95 –, P99 –');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/from=.*to=/);
  await expect(page.getByText(/^Showing .* 01:00 – 04:00$/)).toBeVisible();
  await expect(page.getByText('No performance data in this range')).toBeVisible();
  await page.getByRole('button', { name: 'Whole range' }).click();
  await expect(page).not.toHaveURL(/from=/);

  await percentiles.getByRole('button', { name: 'P99' }).click();
  await expect(percentiles.getByRole('button', { name: 'P99' })).toHaveAttribute('aria-pressed', 'false');
  const saved = async (button: string) => {
    const download = await savedBy(page, percentiles.getByRole('button', { name: button }));
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
  };
  const png = await saved('Save as PNG');
  expect(png.name).toBe('response-time-percentiles.png');
  expect(png.content.subarray(1, 4).toString()).toBe('PNG');
  expect(png.content.length).toBeGreaterThan(5_000);
  const csv = await saved('Save as CSV');
  expect(csv.name).toBe('response-time-percentiles.csv');
  const lines = csv.content.toString().split('\r\n');
  expect(lines[0]).toBe('Time,P50 (ms),P95 (ms),P99 (ms)');
  expect(lines.length).toBeGreaterThan(6 * 24);
  expect(lines.filter((line) => /Z,\d/.test(line)).length).toBeGreaterThan(0);

  await percentiles.getByRole('button', { name: 'Show as table' }).click();
  await expect(percentiles.getByRole('table')).toContainText('P95 (ms)');
  await expectNoViolation(page, 'chart as a table');
  const heading = (name: string) => percentiles.getByRole('columnheader', { name });
  await expect(heading('Time')).toHaveAttribute('aria-sort', 'ascending');
  await heading('P95').getByRole('button').press('Enter');
  await expect(heading('P95')).toHaveAttribute('aria-sort', 'descending');
  await expect(percentiles.getByRole('row').nth(1)).toContainText(/\d/);
  await expect(percentiles.getByRole('row').nth(1).getByRole('cell').nth(2)).not.toHaveText('–');

  const heatmap = chart(page, 'Latency heatmap');
  await heatmap.getByRole('application').hover();
  const box = await heatmap.locator('svg[data-plot]').boundingBox();
  if (box === null) throw new Error('there is no heatmap');
  await page.mouse.move(box.x + 60, box.y + 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + box.height - 36, { steps: 4 });
  await page.mouse.up();
  await heatmap.getByRole('link', { name: 'Show 15 traces' }).click();
  await expect(page).toHaveURL(/\/dashboard\?.*min=.*max=|\/dashboard\?.*max=.*min=/);
  await expect(page.getByText('Showing 15 of 15 traces')).toBeVisible();
});

test('Analytics shows an error if it cannot be loaded, and loads on retry @long', async ({
  page,
  ada,
  organizationName,
}) => {
  await signUpWithFigures(page, ada, organizationName, requests());
  await page.route('**/api/analytics/errors/**', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Come back later.' } } }),
  );
  await page.goto('/analytics?tab=errors');
  const failure = page.getByRole('alert').filter({ hasText: 'Errors could not be loaded.' });
  await expect(failure).toContainText('Come back later.');
  await expectNoViolation(page, 'failed figures');
  await page.unroute('**/api/analytics/errors/**');
  await page.route('**/api/analytics/errors/**', (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', body: '{"errors": {"range": ' }),
  );
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(failure).not.toContainText('Come back later.');
  await expect(failure).toBeVisible();
  await page.unroute('**/api/analytics/errors/**');
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(figure(page, 'Errors')).toHaveText('3');
});

test('insights are shown as a marked sample if the plan does not include them @long', async ({
  page,
  ada,
  organizationName,
}) => {
  const more = [4, 5].map((minutes) => failedOrder(new Date(Date.now() - minutes * MINUTE_MS)));
  const { id, headers } = await signUpWithFigures(page, ada, organizationName, [...requests(), ...more]);
  await page.goto('/analytics');
  const insights = page.getByRole('region', { name: 'Insights' });
  await expect(insights.getByText('Sample', { exact: true })).toBeVisible();
  await expect(insights.getByRole('article').first()).toBeVisible();
  await expect(insights).toContainText('1 finding in 17 requests: 1 low.');
  await expect(insights.getByRole('link', { name: 'Show traces' })).toHaveCount(0);
  await expect(insights.getByRole('link', { name: 'See plans' })).toHaveAttribute('href', /\/billing/);

  const plan = await page.request.put(`/api/billing/${id}/subscription/plan`, {
    data: { plan: 'enterprise_plus' },
    headers,
  });
  expect(plan.status()).toBe(200);
  await page.reload();
  await expect(insights).toContainText('1 finding in 17 requests: 1 low.');
  await expect(insights.getByRole('article')).toContainText('5 requests');
  await expect(insights.getByText('Sample', { exact: true })).toHaveCount(0);
  await expectNoViolation(page, 'insights');
  await insights.getByRole('button', { name: 'Hide' }).click();
  await page.getByRole('menuitem', { name: 'For 7 days' }).click();
  await expect(insights.getByRole('article')).toHaveCount(0);
  await expect(insights.getByRole('heading', { name: 'Insights' })).toBeFocused();
  await page.reload();
  await insights.getByText('1 hidden finding').click();
  await expect(insights.getByRole('listitem')).toContainText(
    /Hidden .* by Ada.*, until \d{4}-\d{2}-\d{2} \d{2}:\d{2}/,
  );
  await expectNoViolation(page, 'hidden insights');
  await insights.getByRole('button', { name: /^Show again: N\+1/ }).click();
  await insights.getByRole('link', { name: 'Show traces' }).click();
  await expect(page.getByRole('group', { name: 'Active filters' })).toContainText('calls:>=8');
  await expect(page.getByText('Showing 5 of 5 traces')).toBeVisible();
});

test('an insight about a new error leads to the error and its requests @long', async ({
  page,
  ada,
  organizationName,
}) => {
  const { id, headers } = await signUpWithFigures(page, ada, organizationName, requests());
  await page.request.put(`/api/billing/${id}/subscription/plan`, {
    data: { plan: 'enterprise_plus' },
    headers,
  });
  const checkouts = (count: number, country: 'UK' | 'GB', daysAgo: number) =>
    Array.from({ length: count }, (_, minute) => {
      const at = new Date(Date.now() - daysAgo * DAY_MS - minute * MINUTE_MS);
      return checkoutTrace({ at, country, user: 'u-9' });
    });
  await sendTraces(page, [...checkouts(60, 'GB', 10), ...checkouts(4, 'UK', 0)]);
  await page.goto('/analytics');
  const finding = page.getByRole('article').filter({ hasText: 'New error: Cannot read properties' });
  await expect(finding).toContainText('TypeError in taxFor, src/checkout.ts.');
  await finding.getByRole('link', { name: 'Open the error' }).click();
  await expect(page.getByText('TypeError in taxFor, src/checkout.ts')).toBeVisible();
  await expect(page.getByRole('definition').first()).toHaveText('4');
  await page.goBack();
  await finding.getByRole('link', { name: 'Show traces' }).click();
  await expect(page.getByText('Showing 4 of 4 traces')).toBeVisible();
});

test('a funnel can be created, changed and deleted @long', async ({ page, ada, organizationName }) => {
  await signUpWithFigures(page, ada, organizationName, requests());
  await page.goto('/analytics?tab=business');
  const funnel = page.getByRole('region', { name: 'Conversion funnel' });
  await funnel.getByRole('button', { name: 'Define a funnel' }).click();
  await expect(funnel.getByRole('button', { name: 'Save funnel' })).toBeDisabled();
  await funnel.getByLabel('Add a step').selectOption('GET /api/page0');
  await funnel.getByLabel('Add a step').selectOption('GET /api/page2');
  await funnel.getByLabel('Name of step 1').fill('Look');
  await expectNoViolation(page, 'funnel editor');
  await funnel.getByRole('button', { name: 'Save funnel' }).click();
  const shown = chart(page, 'Conversion funnel');
  await expect(shown).toContainText('1. Look');
  await expect(shown).toContainText('2. GET /api/page2');
  await shown.getByRole('button', { name: 'Edit' }).click();
  await funnel.getByRole('button', { name: 'Remove funnel' }).click();
  await expect(funnel.getByText('No conversion funnel is defined.')).toBeVisible();
});

/** Simulates Chromium on Linux without a locale. */
function nameNoLanguage() {
  const get = () => 'en-US@posix';
  Object.defineProperty(Navigator.prototype, 'language', { get, configurable: true });
  Object.defineProperty(Navigator.prototype, 'languages', { get: () => [get()], configurable: true });
}

for (const colorScheme of ['dark', 'light'] as const) {
  test(`every tab of Analytics fits a narrow screen; ${colorScheme} @long`, async ({
    page,
    ada,
    organizationName,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.addInitScript(nameNoLanguage);
    await signUpWithFigures(page, ada, organizationName, requests());
    await page.goto('/analytics');
    for (const { name } of TABS) {
      await tab(page, name).click();
      await expect(page.getByRole('figure').first()).toBeVisible();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, name).toBe(0);
      await expectNoViolation(page, `${name}, narrow`);
    }
  });
}
