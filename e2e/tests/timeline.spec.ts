import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { requestWith } from '../harness/traces/extreme-traces.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';

const stepTree = (page: Page) => page.getByRole('tree', { name: 'Steps' });
const findStep = (page: Page, name: string) => page.getByRole('treeitem', { name });

const ONE_FUNCTION = { stepType: 'function', filePath: 'src/shop.ts', lineNumber: 7 };

/** Builds the trace of a request with three nested calls. The innermost call makes `rest` calls with different names. */
function nestedRequest(at: Date, rest: number): Readonly<Record<string, unknown>> {
  const parents = [null, 's0', 's1'];
  return requestWith('/nested', at, 3 + rest, (index) => ({
    parentStepId: index < 3 ? parents[index] : 's2',
    stepName: index < 3 ? ['handle', 'load', 'parse'][index] : `piece ${index}`,
    startTime: new Date(at.getTime() + index).toISOString(),
    duration: index < 3 ? 900 - index : 0.4,
  }));
}

for (const view of ['steps', 'waterfall', 'timeline']) {
  test(`a URL with view=${view} opens the timeline with its step and filter @long`, async ({ page, ada }) => {
    await signUpWithTraces(page, ada, [nestedRequest(new Date(), 5)]);
    await openOwnTrace(page, `?view=${view}&step=s4&find=piece`);
    await expect(page.getByRole('tab', { name: 'Timeline' })).toHaveAttribute('aria-selected', 'true');
    await expect(stepTree(page).getByRole('treeitem', { selected: true })).toContainText('piece 4');
    await expect(page.getByText('5 of 8 steps')).toBeVisible();
    await expect(page.getByRole('tab')).toHaveText([
      /^Timeline$/,
      /Flame/,
      /Sequence/,
      /Source/,
      /Req/,
      /Res/,
      /Perf/,
    ]);
  });
}

test('a step is one line with its bar on the time axis, its self time and its duration', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [nestedRequest(new Date(), 5)]);
  await openOwnTrace(page);
  const handle = findStep(page, 'handle');
  await expect(handle).toContainText('900 ms');
  await expect(handle).toContainText(', self 1.0 ms, begins at 0 ms');
  const [bar, own] = [
    await handle.locator('[class*=bar]').first().boundingBox(),
    await handle.locator('[class*=own]').first().boundingBox(),
  ];
  expect(own?.width).toBeLessThan((bar?.width ?? 0) / 4);
  await expect(findStep(page, 'piece 4')).toContainText('400 µs');
  await expectAccessibleInBoth(page, 'timeline');
});

test('callers stay visible while the steps scroll, link to their rows, and are not read twice by screen readers @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [nestedRequest(new Date(), 120)]);
  await openOwnTrace(page, '?step=s0');
  const pinned = stepTree(page).locator('[class*=pinnedRow]');
  await expect(findStep(page, 'handle')).toBeVisible();
  await expect(pinned).toHaveCount(0);
  await stepTree(page).hover();
  await page.mouse.wheel(0, 1500);
  await expect(pinned).toHaveText([/handle/, /load/, /parse/]);
  await expect(pinned.first()).toBeInViewport();
  expect(await isAtTop(pinned.first(), stepTree(page))).toBe(true);
  // Pinned rows are hidden from assistive technology. `handle` is found once: its own row, which is out of view but rendered because the
  // step is selected. `load` is only pinned, so it is not found.
  await expect(findStep(page, 'handle')).toHaveCount(1);
  await expect(findStep(page, 'load')).toHaveCount(0);
  await expectAccessibleInBoth(page, 'pinned steps');
  await pinned.nth(1).click();
  await expect(stepTree(page).getByRole('treeitem', { selected: true })).toContainText('load');
  await expect(findStep(page, 'load')).toBeInViewport({ ratio: 1 });

  // A step selected by keyboard is visible below the pinned steps.
  await page.keyboard.press('End');
  for (let press = 0; press < 40; press += 1) await page.keyboard.press('ArrowUp');
  const selected = stepTree(page).getByRole('treeitem', { selected: true });
  const [row, last] = [await selected.boundingBox(), await pinned.last().boundingBox()];
  expect(row?.y).toBeGreaterThanOrEqual((last?.y ?? 0) + (last?.height ?? 0) - 1);
});

async function isAtTop(row: Locator, box: Locator): Promise<boolean> {
  const [inner, outer] = [await row.boundingBox(), await box.boundingBox()];
  return Math.abs((inner?.y ?? 0) - (outer?.y ?? 99)) < 2;
}

test('bundled calls are distinguished by an argument, even if the values load later @long', async ({
  page,
  ada,
}) => {
  const many = requestWith('/many', new Date(), 60, (index) => ({
    ...ONE_FUNCTION,
    stepName: 'priceOf',
    parentStepId: null,
    inputs: { shop: 'uk', item: { id: `part-${index}` } },
  }));
  await signUpWithTraces(page, ada, [many]);
  await openOwnTrace(page);
  // The page opens with the request's first call selected, so the group with this call is expanded.
  await expect(stepTree(page).getByRole('treeitem').first()).toContainText('×60');
  await expect(stepTree(page).getByRole('treeitem').nth(1)).toContainText('item.id: "part-0"');
  await expect(stepTree(page).getByRole('treeitem').nth(4)).toContainText('item.id: "part-3"');
});

test('a recursion is shown as one row that can be expanded @long', async ({ page, ada }) => {
  const recursion = requestWith('/recursion', new Date(), 13, (index) => ({
    ...ONE_FUNCTION,
    stepName: index === 0 ? 'main' : 'walk',
    parentStepId: index === 0 ? null : `s${index - 1}`,
  }));
  await signUpWithTraces(page, ada, [recursion]);
  await openOwnTrace(page, '?step=s0');
  const items = stepTree(page).getByRole('treeitem');
  await expect(items).toHaveCount(2);
  await expect(items.nth(1)).toContainText('×12 deep');
  await stepTree(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(items).toHaveCount(13);
  await page.keyboard.press('ArrowLeft');
  await expect(items).toHaveCount(2);
  await page.keyboard.press('*');
  await expect(items).toHaveCount(13);
});

test('of 10,000 steps, only the visible steps are rendered, with their callers above them @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [nestedRequest(new Date(), 10_000)]);
  await openOwnTrace(page, '?step=s2');
  await stepTree(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect(findStep(page, 'piece 5')).toBeVisible();
  await stepTree(page).hover();
  for (let turn = 0; turn < 40; turn += 1) {
    await page.mouse.wheel(0, 600);
    await page.waitForTimeout(16);
  }
  await expect(stepTree(page).locator('[class*=pinnedRow]')).toHaveText([/handle/, /load/, /parse/]);
  expect(await stepTree(page).getByRole('treeitem').count()).toBeLessThan(80);
});
