import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/**
 * Axe reads a page in many small steps: one that changes meanwhile (a colour scheme taking hold, say) is seen half
 * before and half after. What is wrong with the page as it stays is found by every look, so a look is repeated; by number, since
 * a busy machine takes seconds for one.
 */
const LOOKS = 5;
const BETWEEN_LOOKS_MS = 500;

/** What axe finds on what is shown now; with `grave`, that which it calls serious or critical alone. */
async function violationsOn(page: Page, grave: boolean): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'] })
    // In the page itself, where there are no frames to put together: else each look opens a page of its own.
    .setLegacyMode()
    .analyze();
  return violations
    .filter(({ impact }) => !grave || impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`);
}

async function expectNothing(page: Page, grave: boolean, what: string): Promise<void> {
  let found = await violationsOn(page, grave);
  for (let look = 1; look < LOOKS && found.length > 0; look += 1) {
    await page.waitForTimeout(BETWEEN_LOOKS_MS);
    found = await violationsOn(page, grave);
  }
  expect(found, `${what} (${page.url()})`).toEqual([]);
}

/** No violation that axe calls serious or critical on what is shown. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await expectNothing(page, true, what);
}

/** No violation at all. */
export async function expectNoViolation(page: Page, what: string): Promise<void> {
  await expectNothing(page, false, what);
}
