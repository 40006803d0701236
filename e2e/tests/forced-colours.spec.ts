import { expect, type Locator, type Page } from '@playwright/test';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { requestWith } from '../harness/traces/extreme-traces.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';
import { failedOrder } from '../harness/traces/traces.ts';

test.use({ forcedColors: 'active' });

/** Returns an element's background in the page's colours, and the background that remains in forced colours. */
async function readGrounds(what: Locator): Promise<{ readonly own: string; readonly canvas: string }> {
  return what.evaluate((element) => {
    const probe = document.body.appendChild(document.createElement('div'));
    probe.style.background = 'Canvas';
    const canvas = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return { own: getComputedStyle(element).backgroundColor, canvas };
  });
}

async function expectDrawn(what: Locator): Promise<void> {
  await expect(what).toBeVisible();
  const { own, canvas } = await readGrounds(what);
  expect(own).not.toBe(canvas);
  expect(own).not.toBe('rgba(0, 0, 0, 0)');
}

async function expectEdge(what: Locator): Promise<void> {
  await expect(what).toBeVisible();
  expect(await what.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
}

const findBar = (page: Page) =>
  page.getByRole('treeitem').first().locator('span[style*="background"]').first();

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the bars of steps are drawn in forced colours, ${colorScheme}${colorScheme === 'dark' ? ' @long' : ''}`, async ({
    page,
    ada,
  }) => {
    await page.emulateMedia({ colorScheme, forcedColors: 'active' });
    const even = requestWith('/bars', new Date(), 5, () => ({ duration: 100 }));
    await signUpWithTraces(page, ada, [{ ...even, timing: { startTime: new Date(), duration: 500 } }]);
    await openOwnTrace(page);
    await expectDrawn(findBar(page));
    await expectEdge(page.getByRole('treeitem', { selected: true }));
  });
}

test('selected segments, switches and status marks are visible in forced colours @long', async ({
  page,
  ada,
}) => {
  const at = new Date();
  const idle = requestWith('/idle', at, 3, (index) => ({
    duration: 1,
    startTime: new Date(at.getTime() + index * 1000).toISOString(),
  }));
  await signUpWithTraces(page, ada, [
    { ...idle, timing: { startTime: at.toISOString(), duration: 5000 } },
    failedOrder(new Date(at.getTime() - 60_000)),
  ]);
  await openOwnTrace(page, '?view=timeline');
  await expectEdge(page.locator('label[data-active]').filter({ hasText: 'All' }));
  const track = page.getByRole('switch', { name: /Compress idle/ }).locator('xpath=following-sibling::*[1]');
  const on = await readGrounds(track);
  expect(on.own).not.toBe(on.canvas);
  const thumb = track.locator('.mantine-Switch-thumb');
  await expectDrawn(thumb);
  await page.getByRole('switch', { name: /Compress idle/ }).click();
  await expect(async () => expect((await readGrounds(track)).own).not.toBe(on.own)).toPass();
  await expectDrawn(thumb);

  await page.goto('/dashboard');
  const row = page.getByRole('row', { name: /\/orders\/17/ });
  await expect(row).toBeVisible();
  for (const cell of [row.getByText('500', { exact: true }), row.locator('td[style*="background-size"]')]) {
    const picture = await cell.evaluate((element) => getComputedStyle(element).backgroundImage);
    expect(picture).toContain('gradient');
  }
});

test('the checkbox of a row shows in forced colours whether it is ticked', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await page.goto('/dashboard');
  const box = page.getByRole('checkbox', { name: /^Select POST/ });
  await expect(box).toBeVisible();
  await page.mouse.move(0, 0);
  const before = await box.screenshot();
  await box.press('Space');
  await expect(box).toBeChecked();
  await box.blur();
  await expect.poll(async () => before.equals(await box.screenshot())).toBe(false);
});
