import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import { chart, figure, signUpWithFigures, tab } from '../harness/pages/analytics.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, plainRequest } from '../harness/traces/traces.ts';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const comparison = (page: Page) => page.getByRole('switch', { name: 'Compare with previous period' });

test('charts show the previous period as a dashed line with its own legend entry, tooltip value and table column @long', async ({
  page,
  ada,
  organizationName,
}) => {
  await signUpWithFigures(page, ada, organizationName, [
    failedOrder(minutesAgo(2)),
    plainRequest('/now', minutesAgo(4)),
    ...[18, 19, 20, 21, 22].map((ago) => plainRequest('/earlier', minutesAgo(ago))),
  ]);
  await page.goto('/analytics?last=15m');
  const volume = chart(page, 'Request volume by minute');
  await expect(figure(page, 'Total Traces')).toHaveText('2');
  const entry = volume.getByRole('button', { name: 'Requests (previous period)' });
  await expect(entry).toHaveCount(0);
  await comparison(page).click();
  await expect(page).toHaveURL(/compare=previous/);
  await expect(entry).toHaveAttribute('aria-pressed', 'true');
  await expect(figure(page, 'Total Traces')).toContainText('was 5');
  await expectNoViolation(page, 'comparison');

  // The status names the values of both periods, so the comparison can be read with the keyboard.
  await volume.getByRole('application').focus();
  await page.keyboard.press('End');
  const status = volume.getByRole('status');
  await expect(status).toHaveText(
    /Requests 0, Errors 0, Requests \(previous period\) \d, Errors \(previous period\) 0/,
  );
  await entry.click();
  await expect(entry).toHaveAttribute('aria-pressed', 'false');

  await volume.getByRole('button', { name: 'Show as table' }).click();
  const headers = await volume.getByRole('columnheader').allTextContents();
  const column = headers.findIndex((header) => header.includes('Requests (previous period)'));
  const values = await volume.locator(`tbody tr td:nth-child(${column + 1})`).allTextContents();
  expect(values.reduce((sum, value) => sum + (Number.parseInt(value, 10) || 0), 0)).toBe(5);

  for (const [name, label] of [
    ['Performance', 'P95 (previous period)'],
    ['Errors', 'Errors (previous period)'],
    ['System Metrics', 'Average (previous period)'],
  ] as const) {
    await tab(page, name).click();
    await expect(page.getByRole('button', { name: label }).first()).toBeVisible();
  }
  await tab(page, 'User Analytics').click();
  const sessions = chart(page, 'Sessions and active users by minute');
  // The requests of the previous period have no users.
  await expect(sessions.getByText('The previous period has no data.')).toBeVisible();

  await tab(page, 'Overview').click();
  await comparison(page).click();
  await expect(entry).toHaveCount(0);
});

test('a chart says that its previous period has no data @long', async ({ page, ada, organizationName }) => {
  await signUpWithFigures(page, ada, organizationName, [plainRequest('/now', minutesAgo(2))]);
  await page.goto('/analytics?last=15m&compare=previous');
  await expect(figure(page, 'Total Traces')).toContainText('1');
  const volume = chart(page, 'Request volume by minute');
  await expect(volume.getByText('The previous period has no data.')).toBeVisible();
  await expect(volume.getByRole('button', { name: 'Requests (previous period)' })).toHaveCount(0);
  await comparison(page).click();
  await expect(page.getByText('The previous period has no data.')).toHaveCount(0);
});
