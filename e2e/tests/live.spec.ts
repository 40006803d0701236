import { expect } from '@playwright/test';
import { openDashboard, rows } from '../harness/pages/live-list.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, plainRequest, sendTraces } from '../harness/traces/traces.ts';

test('a new request appears without a reload, and the rows that the user reads do not move', async ({
  page,
  ada,
}) => {
  await openDashboard(page, ada, 5);
  await sendTraces(page, [plainRequest('/came/first', new Date())]);
  await expect(rows(page).first()).toContainText('/came/first');

  await rows(page).nth(2).focus();
  const read = await rows(page).nth(2).boundingBox();
  await sendTraces(page, [plainRequest('/came/second', new Date()), plainRequest('/came/third', new Date())]);
  const news = page.getByRole('button', { name: '2 new' });
  await expect(news).toBeVisible();
  expect((await rows(page).nth(2).boundingBox())?.y).toBe(read?.y);
  await expect(page.getByText('/came/second')).toHaveCount(0);
  await news.click();
  await expect(rows(page).first()).toContainText('/came/');
  await expect(page.getByText('Showing 8 of 8 traces')).toBeVisible();

  await page.getByRole('button', { name: 'Pause live traces' }).click();
  await expect(page.getByText('Paused')).toBeVisible();
  await sendTraces(page, [plainRequest('/came/while-paused', new Date())]);
  await page.getByRole('button', { name: 'Resume live traces' }).click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(rows(page).first()).toContainText('/came/while-paused');
});

test('a row does not move while the pointer rests on it @long', async ({ page, ada }) => {
  await openDashboard(page, ada, 5);
  const row = rows(page).nth(2);
  const read = (await row.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const id = await row.getAttribute('data-row');
  await page.mouse.move(read.x + 200, read.y + read.height / 2);
  // Waits longer than the time for which a touch counts as pointing at the row. A mouse pointer counts for as long as it rests on the row.
  await page.waitForTimeout(3200);
  await sendTraces(page, [plainRequest('/came/first', new Date())]);
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible();
  expect((await row.boundingBox())?.y).toBe(read.y);
  expect(await row.getAttribute('data-row')).toBe(id);
  await page.mouse.move(read.x + 200, 5);
  await expect(rows(page).first()).toContainText('/came/first');
});

test('a new request that does not match the filters does not appear @long', async ({ page, ada }) => {
  await openDashboard(page, ada, 2);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Error');
  await expect(page.getByText('No traces found')).toBeVisible();
  await sendTraces(page, [plainRequest('/well', new Date()), failedOrder(new Date())]);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('/orders/17');
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('error');
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('searchbox', { name: /Search/ }).fill('/nothing');
  await expect(page.getByText('No traces found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows(page)).toHaveCount(4);
});

test('all rows of a long list can be reached, and each row shows its own request after scrolling @long', async ({
  page,
  ada,
}) => {
  await openDashboard(page, ada, 130);
  await expect(page.getByText('Showing 50 of 130 traces')).toBeVisible();
  const focused = page.locator('[data-row]:focus').getByTitle(/^\/page/);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(focused).toHaveText('/page/1');
  await page.mouse.move(700, 500);
  await expect(async () => {
    await page.mouse.wheel(0, 10_000);
    await expect(page.getByText('Showing 130 of 130 traces')).toBeVisible({ timeout: 1000 });
  }).toPass();
  await page.mouse.wheel(0, 10_000);
  await expect(rows(page).last()).toContainText('/page/129');
  await expect(rows(page).last()).toBeInViewport();
  await expect(focused).toHaveText('/page/1');
  // Screen readers and Tab reach the rows in visual order.
  const shown = () =>
    rows(page).evaluateAll((all) =>
      all.map((row) => ({
        path: row.querySelector('[title^="/page"]')?.textContent ?? '',
        place: Number(row.getAttribute('aria-rowindex')),
      })),
    );
  await expect.poll(async () => inOrder((await shown()).map(({ place }) => place))).toBe(true);
  for (const { path, place } of await shown()) expect(path).toBe(`/page/${place - 2}`);

  await page.keyboard.press('j');
  await expect(focused).toHaveText('/page/2');
  await expect(focused).toBeInViewport();
  await page.mouse.wheel(0, 10_000);
  const sought = rows(page).filter({ hasText: '/page/120' });
  await sought.click();
  await expect(page).toHaveURL(new RegExp(`trace=${await sought.getAttribute('data-row')}`));
});

const inOrder = (numbers: readonly number[]) =>
  numbers.every((number, index) => number > (numbers[index - 1] ?? 0));

test('a trace of 2,000 steps opens and can be read @long', async ({ page, ada }) => {
  await openDashboard(page, ada, 1);
  const at = new Date();
  const flow = Array.from({ length: 2000 }, (_, index) => ({
    stepId: `s${index}`,
    parentStepId: index === 0 ? null : `s${Math.floor((index - 1) / 3)}`,
    stepName: index === 1999 ? 'theLastOne' : `step${index % 7}`,
    startTime: new Date(at.getTime() + index).toISOString(),
    duration: 1,
    ...(index === 1999 ? { error: { name: 'Error', message: 'at the very end' } } : {}),
  }));
  await sendTraces(page, [{ ...plainRequest('/large', at), flow, response: { statusCode: 500 } }]);
  await page
    .getByRole('row', { name: /GET \/large/ })
    .getByRole('button', { name: 'View' })
    .click();
  const details = page.getByRole('dialog', { name: 'Trace details' });
  await expect(details.getByRole('treeitem', { selected: true })).toContainText('theLastOne');
  await details.getByRole('button', { name: 'Flow graph' }).click();
  const graph = page.getByRole('dialog', { name: 'Flow graph' });
  await expect(graph.locator('.react-flow__node-entry').filter({ hasText: 'theLastOne' })).toContainText(
    'failed',
  );
});
