import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { WINDOWS } from '../harness/browser/layout.ts';
import { root } from '../harness/server/places.ts';

export const FOLDER = join(root, 'test-results', 'screenshots');
const WIDTHS = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
  { width: 2560, height: 1440 },
];
/** From a laptop to a phone: the widths at which the layout of a trace changes. */
const NARROWER = [
  { width: 1440, height: 900 },
  { width: 1080, height: 900 },
  { width: 900, height: 900 },
  { width: 360, height: 740 },
];
const SCHEMES = ['light', 'dark'] as const;
/** Time to wait, because layouts that depend on the width are updated in the frames after a change. */
const SETTLE_MS = 500;

/**
 * Takes screenshots of the page in both themes and all widths. If `ready` is given, loads the page again at each width, as for a user with
 * such a window, and waits until `ready` is visible.
 */
export async function shoot(page: Page, name: string, ready?: Locator): Promise<void> {
  for (const size of WIDTHS) {
    await page.setViewportSize(size);
    if (ready !== undefined) {
      await page.reload();
      await ready.waitFor();
    }
    await shootSchemes(page, `${name}-${size.width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Takes screenshots of the page in both themes, at four widths from a laptop to a phone. The page is not loaded again between them. */
export async function shootNarrower(page: Page, name: string): Promise<void> {
  for (const size of NARROWER) {
    await page.setViewportSize(size);
    await shootSchemes(page, `${name}-${size.width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Takes screenshots of the whole page in both themes, on a wide and on a narrow screen. */
export async function shootWhole(page: Page, name: string): Promise<void> {
  for (const size of WIDTHS.slice(0, 2)) {
    await page.setViewportSize(size);
    await shootSchemes(page, `${name}-${size.width}`, { fullPage: true });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Takes a screenshot at each size in {@link WINDOWS}, with the light and the dark theme in turn. */
export async function shootWindows(page: Page, name: string): Promise<void> {
  for (const [index, size] of WINDOWS.entries()) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark', reducedMotion: 'reduce' });
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({
      path: join(FOLDER, `windows-${name}-${size.width}.png`),
      animations: 'disabled',
    });
  }
}

async function shootSchemes(
  page: Page,
  name: string,
  options: { readonly fullPage?: true } = {},
): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({
      path: join(FOLDER, `${name}-${colorScheme}.png`),
      animations: 'disabled',
      ...options,
    });
  }
}
