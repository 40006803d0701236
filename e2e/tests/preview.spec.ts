import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import type { Account } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { plainRequest } from '../harness/traces/traces.ts';

/** Tests the preview of a request, which opens when the pointer rests on the request's row. */

/** Time in ms that is longer than a preview needs to open or to close. */
const LATER_MS = 2000;
const MESSAGE = "Cannot read properties of undefined (reading 'rate')";

const findPreview = (page: Page) => page.getByRole('tooltip');
const findFailed = (page: Page) => page.getByRole('row', { name: /500/ });

/** Opens a list whose newest request failed. Below it are six successful requests. */
async function openList(page: Page, account: Account): Promise<void> {
  const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);
  const checkout = (country: 'UK' | 'GB', seconds: number) =>
    checkoutTrace({ at: secondsAgo(seconds), country, user: 'u-1', withSource: true });
  await signUpWithTraces(page, account, [
    checkout('UK', 60),
    ...[61, 62, 63].map((seconds) => checkout('GB', seconds)),
    ...[64, 65, 66].map((seconds) => plainRequest(`/parts/${seconds}`, secondsAgo(seconds))),
  ]);
  await page.goto('/dashboard');
  await expect(page.locator('[data-row]')).toHaveCount(7);
}

test('a pointer that rests on a failed request shows the line that threw with its values, and what stands out', async ({
  page,
  ada,
}) => {
  await openList(page, ada);
  await findFailed(page).hover();
  const preview = findPreview(page);
  await expect(preview.getByText(MESSAGE).first()).toBeInViewport({ ratio: 1 });
  await expect(preview.getByText('src/checkout.ts:18')).toBeInViewport({ ratio: 1 });
  const source = preview.getByRole('list', { name: 'Source of taxFor' });
  await expect(source.getByText('entry.rate').first()).toBeInViewport({ ratio: 1 });
  await expect(source.getByText(/^entry\s*undefined$/).first()).toBeInViewport({ ratio: 1 });
  await expect(source.getByText(/^country\s*"UK"$/).first()).toBeInViewport({ ratio: 1 });
  await expect(preview.getByRole('list', { name: 'What stands out' })).toContainText('country is "UK"');
  await expect(preview.getByRole('button')).toHaveCount(0);
  await expect(preview.getByRole('link')).toHaveCount(0);
});

test('the keys j and k show the preview of the focused request, and Escape closes only the preview', async ({
  page,
  ada,
}) => {
  await openList(page, ada);
  await page.keyboard.press('j');
  const preview = findPreview(page);
  await expect(preview.getByText(MESSAGE).first()).toBeVisible();
  await expect(findFailed(page)).toHaveAccessibleDescription(/taxFor/);
  await page.keyboard.press('x');
  const selected = page.getByText('1 selected');
  await expect(selected).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  await expect(selected).toBeVisible();
  await expect(findFailed(page)).toBeFocused();
  // Without a preview, Escape clears the selection.
  await page.keyboard.press('Escape');
  await expect(selected).toBeHidden();
  await page.keyboard.press('j');
  await expect(preview.getByText('placeOrder').first()).toBeVisible();
  await expect(preview).not.toContainText(MESSAGE);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Trace details' })).toBeVisible();
  await expect(preview).toBeHidden();
});

test('a preview stays while the pointer is on it, and closes when the pointer leaves it or the page scrolls @long', async ({
  page,
  ada,
}) => {
  await page.clock.install();
  await page.setViewportSize({ width: 1280, height: 720 });
  await openList(page, ada);
  await findFailed(page).hover();
  const preview = findPreview(page);
  await expect(preview.getByText(MESSAGE).first()).toBeVisible();
  await preview.hover();
  await page.clock.runFor(LATER_MS);
  await expect(preview).toBeVisible();
  await page.mouse.move(700, 5);
  await expect(preview).toBeHidden();
  await findFailed(page).hover();
  await expect(preview).toBeVisible();
  await page.mouse.wheel(0, 60);
  await expect(preview).toBeHidden();
});

test('a click on a row opens the request, and no preview, even after the request is closed @long', async ({
  page,
  ada,
}) => {
  await page.clock.install();
  await openList(page, ada);
  await findFailed(page).getByRole('button', { name: 'View' }).click();
  const dialog = page.getByRole('dialog', { name: 'Trace details' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.clock.runFor(LATER_MS);
  await expect(findPreview(page)).toBeHidden();
});

test('previews are turned off in the list settings, and stay off after a reload @long', async ({
  page,
  ada,
}) => {
  await page.clock.install();
  await openList(page, ada);
  await page.getByRole('button', { name: 'Columns, rows and times' }).click();
  await page.getByRole('checkbox', { name: 'Previews' }).uncheck();
  await page.keyboard.press('Escape');
  const expectNone = async () => {
    await findFailed(page).hover();
    await page.clock.runFor(LATER_MS);
    await expect(findPreview(page)).toBeHidden();
  };
  await expectNone();
  await page.reload();
  await expectNone();
  await page.getByRole('button', { name: 'Columns, rows and times' }).click();
  await page.getByRole('checkbox', { name: 'Previews' }).check();
  await page.keyboard.press('Escape');
  await findFailed(page).hover();
  await expect(findPreview(page)).toBeVisible();
});

test('the preview of a request shows an error if it cannot be loaded @long', async ({ page, ada }) => {
  await openList(page, ada);
  await page.route('**/api/traces/*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await findFailed(page).hover();
  await expect(findPreview(page)).toContainText('The preview could not be loaded.');
});

test('previews are accessible, in Raw Traces and at 768 pixels, too @long', async ({ page, ada }) => {
  await openList(page, ada);
  await page.goto('/raw-traces');
  await page.setViewportSize({ width: 768, height: 900 });
  await findFailed(page).hover();
  const preview = findPreview(page);
  await expect(preview.getByText(MESSAGE).first()).toBeVisible();
  await expectAccessibleInBoth(page, 'preview');
  // The preview covers neither the sidebar nor the other side of the list.
  const box = await preview.boundingBox();
  const list = await page.getByRole('table', { name: 'Traces' }).boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(list?.x ?? Number.NaN);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((list?.x ?? 0) + (list?.width ?? 0));
});
