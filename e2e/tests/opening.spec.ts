import { expect, type Page } from '@playwright/test';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { reportTrace } from '../harness/traces/report-trace.ts';

async function openNewest(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await expect(page.getByRole('tree', { name: 'Steps' })).toBeVisible();
}

const selectedStep = (page: Page) =>
  page.getByRole('tree', { name: 'Steps' }).getByRole('treeitem', { selected: true });

test("a successful request opens on its handler, with the handler's values", async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [reportTrace({ startedAt: new Date(), days: 7, queryMs: 2 })]);
  await openNewest(page);
  await expect(selectedStep(page)).toContainText('GET /reports/sales');
  const details = page.getByRole('region', { name: /Step 2: GET \/reports\/sales/ });
  await expect(details.getByText('src/routes.ts:8')).toBeVisible();
  await expect(details.getByRole('treeitem', { name: /days/ })).toBeVisible();
});

test('the row of a function shows its result, also after a reload', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [reportTrace({ startedAt: new Date(), days: 7, queryMs: 2 })]);
  await openNewest(page);
  const row = page.getByRole('treeitem').filter({ hasText: 'salesReport' });
  await expect(row).toContainText('= { days: 7 }');
  await page.reload();
  await expect(row).toContainText('= { days: 7 }');
});

test('a slow request opens on the repeated calls that took most of its time @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [reportTrace({ startedAt: new Date(), days: 120, queryMs: 20 })]);
  await openNewest(page);
  await expect(selectedStep(page)).toContainText('salesOfDay');
  await expect(selectedStep(page)).toContainText('×120');
  await expect(selectedStep(page)).toBeInViewport({ ratio: 1 });
  const details = page.getByRole('region', { name: '120 calls of salesOfDay' });
  await expect(details).toContainText('Share of request100 %');
  const largest = details.getByRole('list').first().getByRole('button').first();
  await expect(largest).toContainText('SELECT orders ×120');
  await largest.click();
  await expect(page.getByRole('region', { name: /^Step \d+: SELECT orders/ })).toBeVisible();
  await page.getByRole('tree', { name: 'Steps' }).press('s');
  await expect(details).toBeVisible();
  await expect(selectedStep(page)).toBeInViewport({ ratio: 1 });
});

test('the button “Slowest” shows the row of repeated calls, even if its callers were folded @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [reportTrace({ startedAt: new Date(), days: 400, queryMs: 2 })]);
  await openNewest(page);
  const tree = page.getByRole('tree', { name: 'Steps' });
  await tree.press('Home');
  await tree.press('ArrowDown');
  await tree.press('ArrowLeft');
  await expect(tree.getByRole('treeitem')).toHaveCount(2);
  await page.getByRole('button', { name: 'Slowest' }).click();
  await expect(selectedStep(page)).toContainText('×400');
  await expect(page).toHaveURL(/step=%C3%97salesOfDay0/);
  await page.getByRole('button', { name: 'Flow graph' }).click();
  await expect(page.locator('.react-flow__node-entry.selected')).toContainText('salesOfDay');
});

test("a request counts as slow only in comparison with its endpoint's other requests @long", async ({
  page,
  ada,
}) => {
  const at = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1000);
  const quick = Array.from({ length: 8 }, (_, index) =>
    reportTrace({ startedAt: at(20 + index), days: 4, queryMs: 1 }),
  );
  const longer = reportTrace({ startedAt: at(10), days: 10, queryMs: 20 });
  await signUpWithTraces(page, ada, [...quick, longer]);
  await openNewest(page);
  await expect(selectedStep(page)).toContainText('×10');
  await expect(page.getByRole('dialog').getByRole('banner')).toContainText('204 ms');
  await expect(page.getByText('usually 8.0 ms')).toBeVisible();
  await page.keyboard.press(']');
  await expect(selectedStep(page)).toContainText('GET /reports/sales');
  await expect(page.getByText(/^usually/)).toHaveCount(0);
});

test('a request of usual duration is not marked as slow, even if its endpoint is always slow @long', async ({
  page,
  ada,
}) => {
  const always = Array.from({ length: 8 }, (_, index) =>
    reportTrace({ startedAt: new Date(Date.now() - index * 1000), days: 30, queryMs: 20 + (index % 3) }),
  );
  await signUpWithTraces(page, ada, always);
  await openNewest(page);
  await expect(selectedStep(page)).toContainText('GET /reports/sales');
});

test('in a narrow window, the names of bundled calls do not overlap their times @long', async ({
  page,
  ada,
}) => {
  await page.setViewportSize({ width: 900, height: 800 });
  await signUpWithTraces(page, ada, [reportTrace({ startedAt: new Date(), days: 120, queryMs: 20 })]);
  await openNewest(page);
  await page.getByRole('link', { name: 'Open as page' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const calls = page.getByRole('region', { name: '120 calls of salesOfDay' }).getByRole('list').last();
  await expect(calls).toBeVisible();
  const [, name, start] = await calls.getByRole('button').nth(1).locator('> *').all();
  const [nameBox, startBox] = [await name?.evaluate(textBox), await start?.evaluate(textBox)];
  expect(nameBox?.right).toBeLessThanOrEqual(startBox?.left ?? 0);
});

/** Returns the left and right edges of an element's text, which can be wider than the element. */
function textBox(element: Element): { readonly left: number; readonly right: number } {
  const range = document.createRange();
  range.selectNodeContents(element);
  const { left, right } = range.getBoundingClientRect();
  return { left, right };
}

test('a step that was selected just before the view changes stays selected @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [reportTrace({ startedAt: new Date(), days: 7, queryMs: 2 })]);
  await openNewest(page);
  await page.getByRole('tree', { name: 'Steps' }).press('Home');
  await expect(page).toHaveURL(/step=/);
  await page.evaluate(() => {
    document
      .querySelector('[role="tree"][aria-label="Steps"]')
      ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
    const buttons = [...document.querySelectorAll('button')];
    buttons.find(({ textContent }) => textContent === 'Flow graph')?.click();
  });
  await expect(page.locator('.react-flow__node-entry.selected')).toContainText('salesOfDay');
  await expect(page).toHaveURL(/step=.*salesOfDay/);
});
