import { expect, type Page } from '@playwright/test';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { requestWith } from '../harness/traces/extreme-traces.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';
import { failedOrder } from '../harness/traces/traces.ts';

/** Builds the trace of a request with ten sequential steps within a second. */
function spreadOut(at: Date): Readonly<Record<string, unknown>> {
  const spread = requestWith('/spread', at, 10, (index) => ({
    parentStepId: null,
    startTime: new Date(at.getTime() + index * 100).toISOString(),
    duration: index === 9 ? 99 : 50,
    stepName: `part ${index}`,
  }));
  return { ...spread, timing: { startTime: at.toISOString(), duration: 1000 } };
}

const shownRange = (page: Page) => page.getByText(/^Showing /);

test('Fit View shows all of 2,000 expanded steps @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [requestWith('/thousands', new Date(), 2000, () => ({}))]);
  await openOwnTrace(page, '?view=flow&graph=calls');
  await page.getByRole('button', { name: 'Expand all' }).click();
  const mapped = page.locator('.react-flow__minimap-node');
  await expect.poll(() => mapped.count()).toBeGreaterThan(1000);
  await page.getByRole('button', { name: 'Fit View' }).click();
  await expect(async () => {
    const outside = await page.evaluate(() => {
      const canvas = document.querySelector('.react-flow')?.getBoundingClientRect() ?? new DOMRect();
      const cards = [...document.querySelectorAll('.react-flow__node')].map((card) =>
        card.getBoundingClientRect(),
      );
      const out = cards.filter(({ left, right, top, bottom }) => {
        return left < canvas.left || right > canvas.right || top < canvas.top || bottom > canvas.bottom;
      });
      return { drawn: cards.length, out: out.length };
    });
    expect(outside).toEqual({ drawn: await mapped.count(), out: 0 });
  }).toPass({ timeout: 30_000 });
});

test('zooming the timeline keeps the selected step visible, and jumping to a step scrolls to it @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [spreadOut(new Date())]);
  await openOwnTrace(page, '?view=timeline&step=s1');
  const bar = (name: string) =>
    page.getByRole('treeitem', { name }).locator('span[style*="background"]').first();
  await expect(bar('part 9')).toBeVisible();
  await page.getByRole('tree', { name: 'Steps' }).focus();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('+');
  await expect(bar('part 1')).toBeVisible();
  await expect(bar('part 9')).toHaveCount(0);
  await page.getByRole('button', { name: 'Slowest' }).click();
  await expect(bar('part 9')).toBeVisible();
  await expect(bar('part 1')).toHaveCount(0);
});

test("the selected card of the flow graph stays visible when the window's size changes @long", async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await openOwnTrace(page, '?view=flow');
  const card = page.locator('.react-flow__node-entry').filter({ hasText: 'taxOf' });
  for (const width of [1440, 768, 2560, 900, 1080]) {
    await page.setViewportSize({ width, height: 900 });
    // Next to the details, the graph can be narrower than a card.
    await expect
      .poll(async () => {
        const canvas = await page.locator('.react-flow').boundingBox();
        const shown = await card.boundingBox();
        const middle = shown === null ? 0 : shown.x + shown.width / 2;
        return canvas !== null && middle > canvas.x && middle < canvas.x + canvas.width;
      }, `at ${width} px`)
      .toBe(true);
  }
});

test('the zoomed timeline states its range, its axis shows the same range, and a button shows the entire duration again @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [spreadOut(new Date())]);
  await openOwnTrace(page, '?step=s4');
  const axis = page.getByTitle(/^Drag to zoom/);
  await expect(axis).toContainText('0 ms');
  await expect(shownRange(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Zoom in (key +)' }).click();
  await page.getByRole('button', { name: 'Zoom in (key +)' }).click();
  await expect(shownRange(page)).toHaveText(/^Showing 3\d\d ms to 5\d\d ms$/);
  await expect(axis).toContainText(/4\d\d ms/);
  await page.getByRole('button', { name: 'Zoom out (key -)' }).click();
  await expect(shownRange(page)).toHaveText(/^Showing 2\d\d ms to [67]\d\d ms$/);
  await page.getByRole('button', { name: 'Show the entire duration (key 0)' }).click();
  await expect(shownRange(page)).toHaveCount(0);
});

test('with Ctrl, the wheel zooms at the pointer; without Ctrl, the wheel scrolls the steps @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [spreadOut(new Date())]);
  await openOwnTrace(page, '?step=s0');
  const bar = page.getByRole('treeitem', { name: 'part 7' }).locator('[class*=bar]').first();
  const left = async () => Math.round((await bar.boundingBox())?.x ?? 0);
  const width = async () => (await bar.boundingBox())?.width ?? 0;
  const [at, before] = [await left(), await width()];
  await page.mouse.move(at, (await bar.boundingBox())?.y ?? 0);
  await page.mouse.wheel(0, -100);
  await expect(shownRange(page)).toHaveCount(0);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
  await expect.poll(width).toBeGreaterThan(before * 3);
  expect(Math.abs((await left()) - at)).toBeLessThanOrEqual(2);
  await expect(shownRange(page)).toBeVisible();
  await page.getByRole('tree', { name: 'Steps' }).focus();
  await page.keyboard.press('0');
  await expect.poll(width).toBeCloseTo(before, 0);
});
