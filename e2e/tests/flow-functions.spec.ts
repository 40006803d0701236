import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { findForcedColourFaults } from '../harness/browser/forced-colours.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import { functionCard, listLitInView, measureSmallestLabel } from '../harness/pages/function-graph.ts';
import type { Account } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { checkoutCalls } from '../harness/traces/checkout-calls.ts';
import { requestWith } from '../harness/traces/extreme-traces.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';

const FAILING_PATH = ['POST /checkout', 'checkout', 'priceOrder', 'priceItem', 'taxFor'];

async function openCheckout(page: Page, ada: Account, steps: number): Promise<void> {
  await signUpWithTraces(page, ada, [checkoutCalls({ at: new Date(), steps })]);
  await openOwnTrace(page, '?view=flow&graph=functions');
  await expect(functionCard(page, 'taxFor')).toBeVisible();
}

/** Checks that no label on the page is smaller than 11 px. A page without labels passes. */
async function expectReadable(page: Page): Promise<void> {
  await expect.poll(async () => (await measureSmallestLabel(page)) ?? 11).toBeGreaterThanOrEqual(11);
}

/** Zooms the graph out step by step, then shows it whole, and checks the size of its labels each time. */
async function expectReadableAtAnyZoom(page: Page): Promise<void> {
  const canvas = page.locator('[data-detail]');
  for (const step of ['Zoom Out', 'Zoom Out', 'Zoom Out', 'Zoom Out', 'Zoom Out', 'Fit View'] as const) {
    await expectReadable(page);
    const before = await canvas.getAttribute('style');
    const button = page.getByRole('button', { name: step });
    if (await button.isDisabled()) break;
    await button.click();
    if (step !== 'Fit View') await expect(canvas).not.toHaveAttribute('style', before ?? '');
  }
  await expectReadable(page);
}

for (const steps of [20, 200, 2000]) {
  test(`the function graph of ${steps} steps opens on the failing path, and its text can be read at any zoom${steps === 200 ? '' : ' @long'}`, async ({
    page,
    ada,
  }) => {
    await openCheckout(page, ada, steps);
    await expect
      .poll(() => listLitInView(page))
      .toEqual(expect.arrayContaining([...FAILING_PATH.slice(2), 'GET stock.example/items/:id']));
    await expect(functionCard(page, 'taxFor')).toHaveAttribute('data-tone', 'failing');
    await expect(page.getByLabel('Flow summary')).toContainText(`Nodes${steps.toLocaleString('en-US')}`);
    await expectReadableAtAnyZoom(page);
    // A card without visible text has a name for assistive technology.
    await expect(page.getByRole('button', { name: /^taxFor, \d+ calls, .* ms, 1 failed$/ })).toBeVisible();
  });
}

test('the text of the graph of 20 calls can be read at any zoom', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [checkoutCalls({ at: new Date(), steps: 20 })]);
  await openOwnTrace(page, '?view=flow&graph=calls');
  const cards = page.locator('.react-flow__node-entry');
  await expect(cards.getByText('taxFor').last()).toBeVisible();
  await page.getByRole('button', { name: 'Fit View' }).click();
  await expect(cards.getByText('taxFor').last()).toBeVisible();
  await expectReadableAtAnyZoom(page);
  const zoomUntil = async (button: 'Zoom In' | 'Zoom Out', detail: 'boxes' | 'words') => {
    while ((await page.locator('[data-detail]').getAttribute('data-detail')) !== detail)
      await page.getByRole('button', { name: button }).click();
  };
  await zoomUntil('Zoom Out', 'boxes');
  await expect(cards.getByText('taxFor').last()).toBeHidden();
  // Cards that are too small for text have a name for assistive technology.
  await expect(page.getByRole('group', { name: /^\d+\. taxFor, function, .*, failed: / })).toBeVisible();
  await zoomUntil('Zoom In', 'words');
  await expectReadable(page);
});

test('a request with few calls opens as a graph of calls, and can be switched to functions @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [checkoutCalls({ at: new Date(), steps: 20 })]);
  await openOwnTrace(page, '?view=flow');
  await expect(page.locator('.react-flow__node-entry').first()).toContainText(/^\d+/);
  await expect(functionCard(page, 'taxFor')).toHaveCount(0);
  await page.getByRole('radiogroup', { name: 'Graph of' }).getByText('Functions').click();
  await expect(page).toHaveURL(/graph=functions/);
  await expect(functionCard(page, 'taxFor')).toContainText('×4');
  await page.reload();
  await expect(functionCard(page, 'taxFor')).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Graph of' }).getByText('Calls').click();
  await expect(functionCard(page, 'taxFor')).toHaveCount(0);
  await expect(page.locator('.react-flow__node-entry').first()).toBeVisible();
});

test("the card of a function shows the values of the failing call, and the card's panel steps through the calls @long", async ({
  page,
  ada,
}) => {
  await openCheckout(page, ada, 200);
  await expect(functionCard(page, 'taxFor')).toContainText('country: "UK"');
  await expect(functionCard(page, 'taxFor')).toContainText("Cannot read 'rate' of undefined");
  const calls = page.getByRole('navigation', { name: 'Calls of taxFor' });
  await expect(calls).toContainText('Call 12 of 12');
  await calls.getByRole('button', { name: 'Previous call' }).click();
  await expect(calls).toContainText('Call 11 of 12');
  await expect(functionCard(page, 'taxFor')).toContainText('country: "DE"');
  await expect(page.getByRole('tree', { name: 'Inputs' })).toContainText('"DE"');
  await functionCard(page, 'priceItem').click();
  const details = page.getByRole('region', { name: /^Step \d+: priceItem$/ });
  await expect(details.getByRole('region', { name: 'Step error' })).toBeVisible();
});

test('a search highlights the matching functions, and Enter goes to the next match @long', async ({
  page,
  ada,
}) => {
  await openCheckout(page, ada, 200);
  await functionCard(page, 'taxFor').focus();
  await page.keyboard.press('f');
  const box = page.getByRole('searchbox', { name: /^Find steps/ });
  await expect(box).toBeFocused();
  await box.fill('stock.ts');
  await expect(page).toHaveURL(/find=stock\.ts/);
  await expect(page.getByRole('search', { name: 'Functions' }).getByRole('status')).toContainText(
    /^\d+ of 49 functions/,
  );
  await expect(functionCard(page, 'taxFor')).toHaveAttribute('data-tone', 'faded');
  const selected = page.locator('[data-function][aria-current="true"]');
  const seen = new Set<string>();
  for (let hit = 0; hit < 3; hit += 1) {
    await box.press('Enter');
    await expect(selected).toHaveAttribute('data-tone', 'lit');
    await expect(selected).toBeInViewport({ ratio: 0.99 });
    const name = (await selected.getAttribute('aria-label')) ?? '';
    expect(name).toContain('loadstock');
    seen.add(name);
    await expect.poll(() => selected.getAttribute('aria-label')).toBe(name);
  }
  expect(seen.size).toBe(3);
});

test('keys select callers, callees, siblings and the first function @long', async ({ page, ada }) => {
  await openCheckout(page, ada, 200);
  const focused = page.locator('[data-function]:focus');
  await functionCard(page, 'taxFor').focus();
  await page.keyboard.press('ArrowUp');
  await expect(focused).toHaveAccessibleName('priceItem, 12 calls, 600 ms, 1 failed');
  await page.keyboard.press('Home');
  await expect(focused).toHaveAccessibleName(/^POST \/checkout, 1 call/);
  await expect(focused).toBeInViewport({ ratio: 0.99 });
  for (const name of [/^checkout/, /^priceOrder/, /^priceItem/, /^taxFor/]) {
    await page.keyboard.press('ArrowDown');
    await expect(focused).toHaveAccessibleName(name);
  }
  await page.keyboard.press('ArrowLeft');
  await expect(focused).toHaveAccessibleName(/^GET stock\.example/);
  await page.keyboard.press('Enter');
  await expect(focused).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('region', { name: /^Step \d+: GET stock/ })).toBeVisible();
  await expect(page.locator('[data-function][tabindex="0"]')).toHaveCount(1);
});

test('an arrow shows its calls and its time while the pointer is on the arrow or on one of its functions, and card descriptions contain both @long', async ({
  page,
  ada,
}) => {
  await openCheckout(page, ada, 20);
  const label = (text: string) => page.getByText(text, { exact: true });
  // The selected function is taxFor.
  await expect(label('×4 · 6.0 ms')).toBeVisible();
  await expect(label('×4 · 200 ms')).toHaveCount(0);
  await functionCard(page, 'priceOrder').hover();
  await expect(label('×4 · 200 ms')).toBeVisible();
  await expect(label('×1 · 700 ms')).toBeVisible();
  await page.getByRole('searchbox', { name: /^Find steps/ }).hover();
  await expect(label('×1 · 700 ms')).toHaveCount(0);
  const [caller, callee] = [
    await functionCard(page, /^checkout/).boundingBox(),
    await functionCard(page, 'priceOrder').boundingBox(),
  ];
  const bottom = (caller?.y ?? 0) + (caller?.height ?? 0);
  await page.mouse.move(
    (callee?.x ?? 0) + (callee?.width ?? 0) / 2,
    bottom + ((callee?.y ?? 0) - bottom) / 3,
  );
  await expect(label('×1 · 700 ms')).toBeVisible();
  await expect(label('×4 · 200 ms')).toHaveCount(0);
  await page.getByRole('searchbox', { name: /^Find steps/ }).hover();
  await functionCard(page, 'taxFor').focus();
  await page.keyboard.press('ArrowUp');
  await expect(label('×4 · 200 ms')).toBeVisible();
  await expect(functionCard(page, 'priceItem')).toHaveAccessibleDescription(
    'Called by priceOrder (4 calls, 200 ms). Calls GET stock.example/items/:id (4 calls, 120 ms), taxFor (4 calls, 6.0 ms).',
  );
});

test('lanes group functions by file or service, and the URL keeps the lanes @long', async ({ page, ada }) => {
  await openCheckout(page, ada, 200);
  const groups = page.getByRole('radiogroup', { name: 'Group by' });
  await groups.getByText('File').click();
  await expect(page).toHaveURL(/group=file/);
  await expect(page.getByTitle('src/tax.ts', { exact: true })).toBeVisible();
  const [lane, card] = [page.locator('[data-lane="src/tax.ts"]'), functionCard(page, 'taxFor')];
  const [laneBox, cardBox] = [await lane.boundingBox(), await card.boundingBox()];
  expect(cardBox?.x).toBeGreaterThanOrEqual(laneBox?.x ?? Number.NaN);
  expect((cardBox?.x ?? 0) + (cardBox?.width ?? 0)).toBeLessThanOrEqual(
    (laneBox?.x ?? 0) + (laneBox?.width ?? 0),
  );
  await groups.getByText('Service').click();
  await expect(page).toHaveURL(/group=service/);
  await expect(page.locator('[data-lane="stock.example"]')).toBeVisible();
  await expect(page.locator('[data-lane="orders"]')).toBeVisible();
});

test('the list view shows the same functions as the graph @long', async ({ page, ada }) => {
  await openCheckout(page, ada, 200);
  await page.getByRole('radiogroup', { name: 'Show as' }).getByText('List').click();
  const list = page.getByRole('list', { name: 'Flow as a list' });
  await expect(list.getByRole('listitem')).toHaveCount(49);
  const row = list.getByRole('button', { name: /^priceItem/ });
  await expect(row).toContainText(/×\d+.*self \d[\d.]* \S+ ?\d[\d.]* \S+$/);
  await row.click();
  await expect(page.getByRole('region', { name: /^Step \d+: priceItem$/ })).toBeVisible();
});

test('the function graph passes the accessibility check, and fits every width @long', async ({
  page,
  ada,
}) => {
  await openCheckout(page, ada, 200);
  await expectAccessibleInBoth(page, 'functions');
  await page.emulateMedia({ colorScheme: 'light' });
  for (const width of [1440, 900, 768, 360]) {
    await page.setViewportSize({ width, height: 900 });
    for (const group of ['', '&group=file']) {
      await openOwnTrace(page, `?view=flow&graph=functions${group}`);
      await expect(functionCard(page, 'taxFor')).toBeVisible();
      const overflow = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      await expect.poll(overflow, `at ${width}${group}`).toBeLessThanOrEqual(0);
    }
  }
});

test('the function graph is complete in forced colours, and at 200 % zoom @long', async ({ page, ada }) => {
  await openCheckout(page, ada, 20);
  expect(await findForcedColourFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 720, height: 450 });
  expect(await findLayoutFaults(page)).toEqual([]);
  await expect(functionCard(page, 'taxFor')).toBeAttached();
});

/** Returns the contrast of the arrows of the failing path with the background, by the formula of WCAG. */
function measureArrowContrast(page: Page): Promise<number> {
  return page.evaluate(() => {
    const measure = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((text) => {
        const share = Number(text) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const arrow = document.querySelector('svg [data-tone="failing"] path') ?? document.body;
    const probe = document.body.appendChild(document.createElement('div'));
    probe.style.background = 'Canvas';
    const [dark = 0, light = 0] = [getComputedStyle(arrow).stroke, getComputedStyle(probe).backgroundColor]
      .map(measure)
      .sort((one, other) => one - other);
    probe.remove();
    return (light + 0.05) / (dark + 0.05);
  });
}

test('in forced colours, the arrows of the failing path stand out from the background, in light and dark @long', async ({
  page,
  ada,
}) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    await openCheckout(page, { ...ada, email: `${colorScheme}.${ada.email}` }, 20);
    expect(await measureArrowContrast(page), colorScheme).toBeGreaterThanOrEqual(3);
  }
});

test('2,000 functions are drawn and can be searched @long', async ({ page, ada }) => {
  const steps = requestWith('/thousands', new Date(), 2000, (index) => ({ stepName: `work${index}x` }));
  await signUpWithTraces(page, ada, [steps]);
  // A request with 2,000 cards opens as a graph of functions.
  await openOwnTrace(page, '?view=flow');
  await expect(page.getByRole('search', { name: 'Functions' }).getByRole('status')).toHaveText(
    '2,000 functions',
  );
  await expect(page.locator('[data-function]').first()).toBeVisible();
  await page.getByRole('button', { name: 'Fit View' }).click();
  await expect(page.locator('[data-function]')).toHaveCount(2000);
  const box = page.getByRole('searchbox', { name: /^Find steps/ });
  await box.fill('work1777x');
  await expect(page.locator('[data-tone="lit"][data-function]')).toHaveCount(1);
  await box.press('Enter');
  await expect(functionCard(page, 'work1777x')).toBeInViewport({ ratio: 0.99 });
});
