import { expect, type Locator, type Page } from '@playwright/test';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { requestWith } from '../harness/traces/extreme-traces.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';

const LEVELS = 40;

/** Builds the trace of a request in which each step calls the next step. */
function deepRequest(at: Date): Readonly<Record<string, unknown>> {
  return requestWith('/deep', at, LEVELS, (index) => ({
    parentStepId: index === 0 ? null : `s${index - 1}`,
    stepName: `resolveConfigurationOfEveryProduct${index}`,
    stepType: 'function',
    duration: LEVELS - index,
    startTime: new Date(at.getTime() + index).toISOString(),
  }));
}

const divider = (page: Page) => page.getByRole('separator', { name: 'Resize columns' });
const findName = (page: Page, index: number) =>
  page
    .getByRole('treeitem', { name: new RegExp(`resolveConfigurationOfEveryProduct${index}\\b`) })
    .locator('[data-name]');

async function measureWidth(what: Locator): Promise<number> {
  return (await what.boundingBox())?.width ?? 0;
}

test('the name of a step at depth 40 is readable, and its level is announced @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [deepRequest(new Date())]);
  await openOwnTrace(page, '?view=timeline&step=s39');
  const row = page.getByRole('treeitem', { name: 'resolveConfigurationOfEveryProduct39' });
  await expect(row).toBeInViewport();
  await expect(row).toHaveAttribute('aria-level', '40');
  await expect(row.getByTitle('Level 40')).toBeVisible();
  expect(await measureWidth(findName(page, 39))).toBeGreaterThan(70);
  // The name must end before the divider between the names and the times.
  const [name, line] = [await findName(page, 39).boundingBox(), await divider(page).boundingBox()];
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual((line?.x ?? 0) + (line?.width ?? 0));
});

test('on a phone, the deepest name stays readable, with its duration next to it and its bar below @long', async ({
  page,
  ada,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signUpWithTraces(page, ada, [deepRequest(new Date())]);
  await openOwnTrace(page, '?step=s39');
  const row = page.getByRole('treeitem', { name: 'resolveConfigurationOfEveryProduct39' });
  await expect(row).toBeVisible();
  await expect(row).toContainText('1.0 ms');
  await expect(divider(page)).toHaveCount(0);
  expect(await measureWidth(findName(page, 39))).toBeGreaterThan(70);
  const [name, bar] = [
    await findName(page, 39).boundingBox(),
    await row.locator('[class*=bar]').first().boundingBox(),
  ];
  expect(bar?.y).toBeGreaterThanOrEqual((name?.y ?? 0) + (name?.height ?? 0) - 4);
});

test('the indentation narrows with depth @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [deepRequest(new Date())]);
  await openOwnTrace(page, '?step=s0');
  const left = async (index: number) => (await findName(page, index).boundingBox())?.x ?? 0;
  await expect(findName(page, 8)).toBeVisible();
  const [upper, lower] = [(await left(2)) - (await left(1)), (await left(8)) - (await left(7))];
  expect(upper).toBeGreaterThan(lower);
  expect(lower).toBeGreaterThan(0);
});

test('the divider between names and times can be moved by keys and pointer, and keeps its position @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [deepRequest(new Date())]);
  await openOwnTrace(page, '?view=timeline');
  const before = await measureWidth(findName(page, 5));
  await divider(page).focus();
  const share = async () => Number(await divider(page).getAttribute('aria-valuenow'));
  const atFirst = await share();
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowRight');
  expect(await share()).toBe(atFirst + 10);
  await page.keyboard.press('End');
  expect(await share()).toBe(75);
  expect(await measureWidth(findName(page, 5))).toBeGreaterThan(before);
  await page.keyboard.press('Home');
  expect(await share()).toBe(20);

  const [line, tree] = [
    await divider(page).boundingBox(),
    await page.getByRole('tree', { name: 'Steps' }).boundingBox(),
  ];
  if (line === null || tree === null) throw new Error('nothing to drag');
  await page.mouse.move(line.x + 3, line.y + 60);
  await page.mouse.down();
  await page.mouse.move(tree.x + tree.width * 0.6, line.y + 60);
  await page.mouse.up();
  await expect(divider(page)).toHaveAttribute('aria-valuenow', '60');
  await page.reload();
  await expect(divider(page)).toHaveAttribute('aria-valuenow', '60');
  await divider(page).dblclick();
  expect(await share()).toBe(atFirst);
});

test('a truncated name is shown in full on focus and on hover @long', async ({ page, ada }) => {
  const name = 'resolveEveryConfigurationThatAnybodyEverWroteForThisProductAndItsPredecessors';
  const two = requestWith('/long', new Date(), 2, (index) => ({ stepName: index === 0 ? name : 'short' }));
  await signUpWithTraces(page, ada, [two]);
  await openOwnTrace(page);
  const row = page.getByRole('treeitem', { name });
  await expect(row.locator('[data-name]')).toHaveAttribute('title', name);
  const tree = page.getByRole('tree', { name: 'Steps' });
  await tree.focus();
  await page.keyboard.press('End');
  const full = page.locator('[data-cut="true"]');
  await expect(page.getByRole('treeitem', { selected: true })).toContainText('short');
  await expect(full).toBeHidden();
  await page.keyboard.press('Home');
  await expect(full).toHaveText(name);
  await expect(full).toBeVisible();
  expect(await full.evaluate((label) => label.scrollWidth - label.clientWidth)).toBe(0);
});

test("in a narrow row, the result beside a name is truncated before the name, and a long class name before the method's name", async ({
  page,
  ada,
}) => {
  const names = ['applyEveryDiscount', 'ConfigurationOfEveryProductAndItsPredecessors.resolve'];
  const two = requestWith('/names', new Date(), 2, (index) => ({
    stepName: names[index],
    stepType: 'function',
    variables: { returnValue: `a result of ${'very '.repeat(40)}many words` },
  }));
  await signUpWithTraces(page, ada, [two]);
  await openOwnTrace(page);
  const [short, method] = names.map((name) => page.getByRole('treeitem', { name }).locator('[data-name]'));
  await expect(page.getByRole('treeitem').first()).toContainText('a result of very');
  expect(await short?.evaluate((name) => name.scrollWidth - name.clientWidth)).toBe(0);
  const isEndShown = await method?.evaluate((name) => {
    const range = document.createRange();
    const text = name.firstChild ?? name;
    const length = text.textContent?.length ?? 0;
    range.setStart(text, length - 'resolve'.length);
    range.setEnd(text, length);
    const [end, box] = [range.getBoundingClientRect(), name.getBoundingClientRect()];
    return end.left >= box.left && end.right <= box.right + 1;
  });
  expect(isEndShown).toBe(true);
});
