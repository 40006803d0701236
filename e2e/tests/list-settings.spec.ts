import { expect } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { plainRequest, sendTraces } from '../harness/traces/traces.ts';

/** Tests the settings of a list: the density of its rows, and the column Instance. */

test('the row density is chosen by keyboard, remembered, and applies at every width @long', async ({
  page,
  ada,
}) => {
  const now = Date.now();
  const parts = Array.from({ length: 4 }, (_, index) =>
    plainRequest(`/parts/${index}`, new Date(now - index * 1000)),
  );
  await signUpWithTraces(page, ada, parts);
  await page.goto('/dashboard');
  const rows = page.getByRole('table', { name: 'Recent traces' }).locator('[data-row]');
  const height = async () => (await rows.first().boundingBox())?.height;
  await expect.poll(height).toBe(36);
  const button = page.getByRole('button', { name: 'Columns, rows and times' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('radio', { name: 'Comfortable' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Compact' })).toBeChecked();
  await expect.poll(height).toBe(28);
  await expectNoViolation(page, 'row density');
  await page.reload();
  await expect.poll(height).toBe(28);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(height).toBe(58);
  // No cell is cut off: every cell of the row is inside the row.
  const row = await rows.first().boundingBox();
  for (const cell of await rows.first().getByRole('cell').all()) {
    const box = await cell.boundingBox();
    if (box === null || row === null) continue;
    expect(box.y).toBeGreaterThanOrEqual(row.y - 0.5);
    expect(box.y + box.height).toBeLessThanOrEqual(row.y + row.height + 0.5);
  }
  await button.click();
  await page.getByText('Comfortable', { exact: true }).click();
  await expect.poll(height).toBe(68);
});

test('all settings above the columns are in view in a window of 900 px, and the columns scroll', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [plainRequest('/parts/1', new Date())]);
  await page.setViewportSize({ width: 900, height: 900 });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Columns, rows and times' }).click();
  const settings = page.getByRole('group', { name: 'Table settings' });
  for (const text of ['Compact', 'Absolute']) {
    await expect(settings.getByText(text, { exact: true })).toBeInViewport({ ratio: 1 });
  }
  await settings.getByRole('button', { name: 'Reset to default' }).scrollIntoViewIfNeeded();
  await expect(settings.getByRole('button', { name: 'Reset to default' })).toBeInViewport({ ratio: 1 });
});

test('a list filtered by instance shows the instances, and the menu of a row filters by its instance @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [plainRequest('/health', new Date())]);
  await sendTraces(page, [plainRequest('/cart', new Date())], { name: 'orders', instance: 'web-1' });
  await page.goto('/dashboard');
  const table = page.getByRole('table', { name: 'Recent traces' });
  await table.getByRole('row', { name: /\/cart/ }).focus();
  await page.keyboard.press('f');
  await page.getByRole('menuitem', { name: 'instance:web-1', exact: true }).click();
  await expect(table.getByRole('row', { name: /\/health/ })).toHaveCount(0);
  await expect(table.getByRole('columnheader', { name: 'Instance' })).toBeVisible();
  await expect(table.getByRole('cell', { name: 'web-1' })).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  const cell = table.getByRole('cell', { name: /web-1/ });
  await cell.scrollIntoViewIfNeeded();
  await expect(cell).toBeInViewport({ ratio: 1 });
});
