import { expect, type Locator, type Page } from '@playwright/test';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { requestWith } from '../harness/traces/extreme-traces.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';

const ROW_PX = 28;

/** Builds the trace of a request with 300 steps, each with the same three inputs. */
function wideRequest(at: Date): Readonly<Record<string, unknown>> {
  const inputs = { order: 17, country: 'GB', note: 'leave it at the door' };
  return requestWith('/wide', at, 300, () => ({ inputs }));
}

const stepTree = (page: Page) => page.getByRole('tree', { name: 'Steps' });

async function measureHeight(what: Locator): Promise<number> {
  return (await what.boundingBox())?.height ?? 0;
}

/** Checks that the step's inputs can be scrolled completely into the window. */
async function expectReachable(page: Page): Promise<void> {
  const last = page.getByRole('tree', { name: 'Inputs' }).getByText('leave it at the door');
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
}

for (const [what, size, when] of [
  ['a window enlarged to 200 %', { width: 720, height: 450 }, ' @long'],
  ['a phone', { width: 360, height: 740 }, ''],
] as const) {
  test(`in ${what} the tree shows eight steps or more, and the page scrolls to all values${when}`, async ({
    page,
    ada,
  }) => {
    await page.setViewportSize(size);
    await signUpWithTraces(page, ada, [wideRequest(new Date())]);
    await openOwnTrace(page);
    await expect(stepTree(page)).toBeVisible();
    expect(await measureHeight(stepTree(page))).toBeGreaterThanOrEqual(8 * ROW_PX);
    await expectReachable(page);
    const [tree, values] = [
      await stepTree(page).boundingBox(),
      await page.getByRole('tree', { name: 'Inputs' }).boundingBox(),
    ];
    expect(values?.y).toBeGreaterThanOrEqual((tree?.y ?? 0) + (tree?.height ?? 0));
  });
}

test('in a short, wide window, the panes keep their height and the page scrolls @long', async ({
  page,
  ada,
}) => {
  await page.setViewportSize({ width: 1440, height: 450 });
  await signUpWithTraces(page, ada, [wideRequest(new Date())]);
  await openOwnTrace(page);
  await expect(stepTree(page)).toBeVisible();
  expect(await measureHeight(stepTree(page))).toBeGreaterThanOrEqual(10 * ROW_PX);
  await expectReachable(page);
  // Below the trace's card, the page has no other element that makes the page longer.
  const below = await page.evaluate(() => {
    const card = document.querySelector('main > *')?.getBoundingClientRect();
    return document.documentElement.scrollHeight - (card?.bottom ?? 0) - window.scrollY;
  });
  expect(below).toBeLessThanOrEqual(40);
});

test('a dialog on a phone scrolls, and its close button stays visible @long', async ({ page, ada }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signUpWithTraces(page, ada, [wideRequest(new Date())]);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await expect(stepTree(page)).toBeVisible();
  await expectReachable(page);
  await expect(page.getByRole('heading', { name: '/wide' })).not.toBeInViewport();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
});

test('a short list of steps leaves no empty space if the panes are one below the other @long', async ({
  page,
  ada,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signUpWithTraces(page, ada, [requestWith('/few', new Date(), 3, () => ({}))]);
  await openOwnTrace(page);
  await expect(page.getByRole('treeitem')).toHaveCount(3);
  expect(await measureHeight(stepTree(page))).toBeLessThan(5 * ROW_PX);
});
