import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Rules to check: all rules; or only the rules for colours, if the page was already checked in the other colour scheme. */
const RULES = {
  all: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const;

interface Look {
  /** True if only serious and critical violations are reported. */
  readonly grave: boolean;
  readonly rules: keyof typeof RULES;
  /**
   * Selector of controls that an open panel covers in part. These controls are not checked, because axe would measure only the visible part
   * of each control.
   */
  readonly covered?: string | undefined;
}

/**
 * Maximum number of checks of a page. Axe reads a page in many small steps, so it can report false violations while the page changes, for
 * example its colour scheme. A check that finds violations is therefore repeated; real violations are found each time. The time is not
 * limited, because one check can take seconds on a busy machine.
 */
const LOOKS = 5;
const BETWEEN_LOOKS_MS = 500;

/** Returns the violations of the chosen rules that axe now finds on the page. */
async function violationsOn(page: Page, { grave, rules, covered }: Look): Promise<string[]> {
  const builder = new AxeBuilder({ page });
  if (covered !== undefined) builder.exclude(covered);
  const { violations } = await builder
    .options({
      runOnly: { type: RULES[rules].type, values: [...RULES[rules].values] },
      resultTypes: ['violations'],
    })
    // Runs axe only in the page itself, because there are no frames whose results must be merged. Otherwise each check would open a new
    // page.
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

/** Checks that axe finds no serious or critical violation on the page. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await expectNothing(page, { grave: true, rules: 'all' }, what);
}

/** Checks the page in light and in dark mode. In dark mode it checks only the rules for colours. Leaves the page in dark mode. */
export async function expectAccessibleInBoth(page: Page, what: string, covered?: string): Promise<void> {
  await paint(page, 'light');
  await expectNothing(page, { grave: true, rules: 'all', covered }, `${what}, light`);
  await paint(page, 'dark');
  await expectNothing(page, { grave: true, rules: 'colours', covered }, `${what}, dark`);
}

async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
}

/** Checks that axe finds no violation of any severity. */
export async function expectNoViolation(page: Page, what: string): Promise<void> {
  await expectNothing(page, { grave: false, rules: 'all' }, what);
}
