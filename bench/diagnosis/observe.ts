/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { Walker } from '../ui/walker.ts';
import type { NamedBug } from './bug.ts';

/** The result of a simulated search for a bug's cause. The search starts in the list of requests. */
export interface Observed {
  /** True if the call of the faulty function is selected when the request opens. */
  readonly selected: boolean;
  /** The text of the step that is selected when the request opens; empty if none is. */
  readonly selectedStep: string;
  /** True if the wrong value is visible with its name when the request opens. */
  readonly shown: boolean;
  /** Number of clicks until the wrong value is visible; undefined if it was not found. */
  readonly clicks: number | undefined;
}

/** Opens the failing request from the current list, then the comparison, then the faulty function, until the wrong value is visible. */
export async function observe(
  page: Page,
  bug: NamedBug,
  ids: { readonly failing: string },
): Promise<Observed> {
  const walker = new Walker(page);
  await walker.click(page.locator(`[data-row="${ids.failing}"]`));
  const tree = page.getByRole('tree', { name: 'Steps' });
  await tree.waitFor();
  await settle(page);
  const selectedStep = await readSelected(page);
  const selected = selectedStep.includes(bug.cause.function);
  const shown = await isInView(page, bug);
  const opened = { selected, selectedStep, shown };
  if (shown) return { ...opened, clicks: walker.clicks };
  const compare = page.getByRole('button', { name: /^Compare/ });
  if (await compare.isVisible()) {
    await walker.click(compare);
    await page
      .getByRole('region', { name: 'Comparison' })
      .or(page.getByText('There is no request'))
      .waitFor();
    await settle(page);
    if (await isInView(page, bug)) return { ...opened, clicks: walker.clicks };
    await page.goBack();
    await tree.waitFor();
  }
  const call = tree.getByRole('treeitem').filter({ hasText: bug.cause.function }).first();
  if (await call.isVisible()) {
    await walker.click(call);
    await settle(page);
    if (await isInView(page, bug)) return { ...opened, clicks: walker.clicks };
  }
  return { ...opened, clicks: undefined };
}

/** Waits until the page loads nothing more. */
async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(SETTLE_MS);
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  await page.waitForTimeout(SETTLE_MS);
}

/** Time to wait before checking for pending loads, because a page requests a step's values shortly after the step is selected. */
const SETTLE_MS = 300;

/** Elements whose text can contain both a name and its value. */
const LINES = '[role="treeitem"], [role="row"], li, tr, p, [role="alert"]';

/** True if a visible line contains the wrong value and its name. */
async function isInView(page: Page, { cause, symptom }: NamedBug): Promise<boolean> {
  const lines = await page.locator(LINES).evaluateAll((elements) =>
    elements
      .filter((element) => {
        const { top, bottom, width } = element.getBoundingClientRect();
        return width > 0 && top < window.innerHeight && bottom > 0;
      })
      .map((element) => element.textContent ?? ''),
  );
  // The panel of a selected step shows the step's duration and the function's number of calls.
  if (symptom === 'slow')
    return (
      lines.some((line) => isNamedSlow(line, cause.function)) ||
      (await readSelected(page)).includes(cause.function)
    );
  return lines.some((line) => saysValue(line, cause));
}

async function readSelected(page: Page): Promise<string> {
  const line = page.getByRole('tree', { name: 'Steps' }).getByRole('treeitem', { selected: true });
  return (await line.isVisible()) ? ((await line.locator('[data-name]').first().textContent()) ?? '') : '';
}

/** True if the line names the function with a time or a number of calls. */
function isNamedSlow(line: string, name: string): boolean {
  return line.includes(name) && /\btimes\b|blocked|took|slower/.test(line);
}

export function saysValue(
  line: string,
  { value, wrong, function: name }: Pick<NamedBug['cause'], 'value' | 'wrong' | 'function'>,
): boolean {
  const text = normalize(line);
  const held = normalize(wrong);
  if (value === 'return value')
    return text.includes(held) && (text.includes(normalize(name)) || text.startsWith(held));
  // The page can show a returned variable as the function's result.
  if (text.includes(normalize(`${name} returned ${wrong}`))) return true;
  return text.includes(normalize(value.replace(/^.*\./, ''))) && text.includes(held);
}

/** Removes white space, quotes and brackets, which the page and JavaScript write differently. */
function normalize(text: string): string {
  return text.replaceAll(/[\s"'`“”[\]{}]/g, '');
}
