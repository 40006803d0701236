import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import { chart } from '../harness/pages/analytics.ts';
import type { Account } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { plainRequest } from '../harness/traces/traces.ts';

const heatmap = (page: Page) => chart(page, 'Latency heatmap');
const cells = (page: Page) => heatmap(page).getByRole('application');
const panel = (page: Page) => page.getByRole('region', { name: 'What is different?' });
const found = (page: Page) => panel(page).getByRole('listitem');

/** The height of a heatmap's cell in pixels. `ROWS_OF_SLOW`: the number of rows, from the top, for durations of 200 ms or longer. */
const ROW_PX = 12;
const ROWS_OF_SLOW = 14;

/** Sends twenty slow requests with the plan gold, and forty quick requests with the plan free, and opens the heatmap. */
async function openHeatmap(page: Page, account: Account): Promise<void> {
  const traces = Array.from({ length: 60 }, (_, index) => {
    const { timing, ...request } = plainRequest('/checkout', new Date(Date.now() - index * 1000));
    return {
      ...request,
      timing: { ...(timing as object), duration: index < 20 ? 800 : 12 },
      attributes: { plan: index < 20 ? 'gold' : 'free' },
    };
  });
  await signUpWithTraces(page, account, traces);
  await page.goto('/analytics?tab=performance&last=1h');
  await cells(page).scrollIntoViewIfNeeded();
}

/** Returns two opposite corners of the area for durations of 200 ms or longer: the upper right and the lower left one. */
async function findSlowCells(page: Page) {
  const box = await heatmap(page).locator('svg[data-plot]').boundingBox();
  if (box === null) throw new Error('there is no heatmap');
  return {
    right: { x: box.x + box.width - 2, y: box.y + 2 },
    left: { x: box.x + 60, y: box.y + ROWS_OF_SLOW * ROW_PX - 2 },
  };
}

async function expectSlowCompared(page: Page): Promise<void> {
  await expect(panel(page)).toContainText('20 requests compared with 40 with another outcome');
  await expect(found(page)).toHaveText([/Attribute\s*plan:gold.*100 % of these, 0 % of others/]);
}

test('a drag over cells of the heatmap shows what is different about their requests, also after a reload', async ({
  page,
  ada,
}) => {
  await openHeatmap(page, ada);
  const { right, left } = await findSlowCells(page);
  await page.mouse.move(right.x, right.y);
  await page.mouse.down();
  await page.mouse.move(left.x, left.y, { steps: 4 });
  await expect(heatmap(page).getByRole('status')).toContainText('200 ms and longer: 20 requests');
  await expect(panel(page)).toHaveCount(0);
  await page.mouse.up();
  await expectSlowCompared(page);
  await expect(page).toHaveURL(/area=/);
  await expectAccessibleInBoth(page, 'what is different about cells');

  await page.reload();
  await expectSlowCompared(page);
  await expect(heatmap(page).getByRole('link', { name: 'Show 20 traces' })).toBeVisible();
  await panel(page).getByRole('link', { name: 'Filter for plan:gold' }).click();
  await expect(page.getByText('Showing 20 of 20 traces')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit filter: attribute:plan:gold' })).toBeVisible();
  await expect(panel(page)).toContainText('20 requests compared with');

  await page.goBack();
  await expectSlowCompared(page);
  await panel(page)
    .getByRole('button', { name: /^Close/ })
    .click();
  await expect(panel(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/area=/);
});

test('cells of the heatmap are selected by keyboard alone, and Escape clears the selection', async ({
  page,
  ada,
}) => {
  await openHeatmap(page, ada);
  await cells(page).focus();
  // The first key press selects the last cell of the lowest row.
  for (let row = 0; row <= ROWS_OF_SLOW; row += 1) await page.keyboard.press('ArrowUp');
  for (let row = 1; row < ROWS_OF_SLOW; row += 1) await page.keyboard.press('Shift+ArrowUp');
  for (let column = 0; column < 5; column += 1) await page.keyboard.press('Shift+ArrowLeft');
  await expect(heatmap(page).getByRole('status')).toContainText('200 ms and longer: 20 requests');
  await expect(page).not.toHaveURL(/area=/);
  await page.keyboard.press('Enter');
  await expectSlowCompared(page);

  await page.keyboard.press('ArrowDown');
  await expectSlowCompared(page);
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/area=/);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('cells of the heatmap are selected with a finger @long', async ({ page, ada }) => {
    await openHeatmap(page, ada);
    const { right, left } = await findSlowCells(page);
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      devtools.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] });
    await touch('touchStart', right);
    // Moves the finger sideways first, because a finger that first moves down would scroll the page.
    await touch('touchMove', { x: right.x - 40, y: right.y });
    await touch('touchMove', { x: left.x, y: right.y });
    await touch('touchMove', left);
    await touch('touchEnd');
    await expectSlowCompared(page);
    await expect.poll(() => findLayoutFaults(page)).toEqual([]);
  });
});
