import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** All rules; or, for a page that was looked at in other colours, those of colours alone. */
const RULES = {
  all: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const;

interface Look {
  /** True if only serious and critical violations count. */
  readonly grave: boolean;
  readonly rules: keyof typeof RULES;
}

/**
 * Axe reads a page in many small steps: one that changes meanwhile (a colour scheme taking hold, say) is seen half
 * before and half after. What is wrong with the page as it stays is found by every look, so a look is repeated; by number, since
 * a busy machine takes seconds for one.
 */
const LOOKS = 5;
const BETWEEN_LOOKS_MS = 500;

/** The violations that axe finds on the page now. */
async function violationsOn(page: Page, { grave, rules }: Look): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .options({
      runOnly: { type: RULES[rules].type, values: [...RULES[rules].values] },
      resultTypes: ['violations'],
    })
    // In the page itself, where there are no frames to put together: else each look opens a page of its own.
    .setLegacyMode()
    .analyze();
  return violations
    .filter(({ impact }) => !grave || impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`);
}

async function expectNothing(page: Page, look: Look, what: string): Promise<void> {
  let found = await violationsOn(page, look);
  for (let looks = 1; looks < LOOKS && found.length > 0; looks += 1) {
    await page.waitForTimeout(BETWEEN_LOOKS_MS);
    found = await violationsOn(page, look);
  }
  expect(found, `${what} (${page.url()})`).toEqual([]);
}

/** No violation that axe calls serious or critical on what is shown. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await expectNothing(page, { grave: true, rules: 'all' }, what);
}

/** The same in light and in dark: what is wrong in one alone is a colour. Leaves the page dark. */
export async function expectAccessibleInBoth(page: Page, what: string): Promise<void> {
  await paint(page, 'light');
  await expectNothing(page, { grave: true, rules: 'all' }, `${what}, light`);
  await paint(page, 'dark');
  await expectNothing(page, { grave: true, rules: 'colours' }, `${what}, dark`);
}

async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
}

/** No violation at all. */
export async function expectNoViolation(page: Page, what: string): Promise<void> {
  await expectNothing(page, { grave: false, rules: 'all' }, what);
}
