import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds on what is shown now; with `grave`, that which it calls serious or critical alone. */
async function violationsOn(page: Page, grave: boolean): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  return violations
    .filter(({ impact }) => !grave || impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`);
}

/**
 * Axe reads a page in many small steps: one that changes meanwhile (a colour scheme taking hold, say) is seen half
 * before and half after. What is wrong with the page as it stays is found by every look, so a look is repeated.
 */
async function expectNothing(page: Page, grave: boolean, what: string): Promise<void> {
  await expect(async () => {
    expect(await violationsOn(page, grave), `${what} (${page.url()})`).toEqual([]);
  }).toPass({ intervals: [500], timeout: 5000 });
}

/** No violation that axe calls serious or critical on what is shown. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await expectNothing(page, true, what);
}

/** No violation at all. */
export async function expectNoViolation(page: Page, what: string): Promise<void> {
  await expectNothing(page, false, what);
}
