import { expect } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import { chart, figure, requests, signUpWithFigures, tab, table } from '../harness/pages/analytics.ts';
import { chooseTime, timeButton } from '../harness/pages/time-range.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder } from '../harness/traces/traces.ts';

const MINUTE_MS = 60_000;

test('the URL keeps the range, the filters and the comparison @long', async ({
  page,
  ada,
  organizationName,
}) => {
  await signUpWithFigures(page, ada, organizationName, requests());
  await page.goto('/analytics?start=2026-02-02&end=2026-02-01');
  await expect(page.getByText('End date must not be before the start date.').first()).toBeVisible();
  await expectNoViolation(page, 'no such range');
  await page.getByLabel('End date').fill('2026-02-03');
  await expect(page).toHaveURL(/start=2026-02-02&end=2026-02-03|end=2026-02-03.*start=2026-02-02/);
  await expect(page.getByText('No traces in this range')).toBeVisible();

  await chooseTime(page, 'Last 30 days');
  await expect(figure(page, 'Total Traces')).toHaveText('15');
  await expect(chart(page, 'Request volume by day')).toBeVisible();
  await page.getByLabel('Service').selectOption('orders');
  await expect(page).toHaveURL(/service=orders/);
  await page.getByRole('switch', { name: 'Compare with previous period' }).click();
  await expect(page).toHaveURL(/compare=previous/);
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Compare with previous period' })).toBeChecked();
  await expect(page.getByLabel('Service')).toHaveValue('orders');
  await expect(timeButton(page)).toHaveAccessibleName('Time: Last 30 days');
  await expect(figure(page, 'Total Traces')).toContainText('15');

  await page.goto('/analytics?service=nobody');
  await expect(page.getByText('No traces in this range')).toBeVisible();
  await expect(page.getByLabel('Service')).toHaveValue('nobody');
  await page.goto('/analytics?project=00000000-0000-7000-8000-000000000000');
  await expect(page.getByText('Project not found')).toBeVisible();
});

test('analytics of a new project shows the last hour in one-minute intervals @long', async ({
  page,
  ada,
  organizationName,
}) => {
  await signUpWithFigures(page, ada, organizationName, requests());
  await page.goto('/analytics');
  await expect(timeButton(page)).toHaveAccessibleName('Time: Last hour');
  const volume = chart(page, 'Request volume by minute');
  await volume.getByRole('button', { name: 'Show as table' }).click();
  const rows = volume.getByRole('table').locator('tbody tr');
  await expect(rows).toHaveCount(60);
  const shown = (await rows.last().getByRole('cell').first().textContent()) ?? '';
  const [hours = 0, minutes = 0] = (/(\d\d):(\d\d) – /.exec(shown) ?? []).slice(1).map(Number);
  // The last interval is the current minute, which may have ended since.
  const now = new Date();
  const ago = (now.getHours() * 60 + now.getMinutes() - hours * 60 - minutes + 1440) % 1440;
  expect(ago).toBeLessThanOrEqual(1);

  await chooseTime(page, 'Last 6 hours');
  await expect(page).toHaveURL(/last=6h/);
  await expect(chart(page, 'Request volume by 5 minutes')).toBeVisible();
  await chooseTime(page, 'Last 24 hours');
  await expect(chart(page, 'Request volume by 15 minutes')).toBeVisible();
  await page.reload();
  await expect(timeButton(page)).toHaveAccessibleName('Time: Last 24 hours');
  await expect(figure(page, 'Total Traces')).toHaveText('15');
  await chooseTime(page, 'Last 7 days');
  await expect(page).toHaveURL(/last=7d/);
});

test('zooming to a range applies to the whole page until the user goes back @long', async ({
  page,
  ada,
  organizationName,
}) => {
  const early = [40, 41].map((minutes) => failedOrder(new Date(Date.now() - minutes * MINUTE_MS)));
  await signUpWithFigures(page, ada, organizationName, [...requests(), ...early]);
  await page.goto('/analytics');
  await expect(figure(page, 'Total Traces')).toHaveText('17');
  const volume = chart(page, 'Request volume by minute');
  await volume.getByRole('application').focus();
  await page.keyboard.press('Home');
  for (let minute = 0; minute < 30; minute += 1) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');

  const zoomed = page.getByText(/^Showing /);
  const expectEarlyOnly = async () => {
    await expect(zoomed).toBeVisible();
    await expect(figure(page, 'Total Traces')).toHaveText('2');
    await expect(figure(page, 'Error Rate')).toHaveText('100.0 %');
    await expect(chart(page, 'Success versus error')).toContainText('2 · 100.0 %');
    await expect(table(page, 'Top Endpoints').locator('tbody tr')).toHaveCount(1);
    await expect(table(page, 'Recent Traces').locator('tbody tr')).toHaveCount(2);
  };
  await expectEarlyOnly();
  await expectNoViolation(page, 'zoomed');
  await page.reload();
  await expectEarlyOnly();
  const cells = chart(page, 'Latency heatmap').locator('tbody tr');
  await tab(page, 'Performance').click();
  await chart(page, 'Latency heatmap').getByRole('button', { name: 'Show as table' }).click();
  await expect(cells).toHaveCount(2);
  await tab(page, 'Errors').click();
  await expect(figure(page, 'Errors')).toHaveText('2');
  await tab(page, 'User Analytics').click();
  await expect(figure(page, 'Active users')).toHaveText('0');
  await tab(page, 'Overview').click();
  await figure(page, 'Total Traces').getByRole('link').click();
  await expect(page.getByText('Showing 2 of 2 traces')).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Whole range' }).click();
  await expect(zoomed).toHaveCount(0);
  await expect(figure(page, 'Total Traces')).toHaveText('17');
  await page.goBack();
  await expect(figure(page, 'Total Traces')).toHaveText('2');
});
