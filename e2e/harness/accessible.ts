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

/** No violation that axe calls serious or critical on what is shown now. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  expect(await violationsOn(page, true), `${what} (${page.url()})`).toEqual([]);
}

/** No violation at all. */
export async function expectNoViolation(page: Page, what: string): Promise<void> {
  expect(await violationsOn(page, false), `${what} (${page.url()})`).toEqual([]);
}
