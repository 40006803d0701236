import type { Page } from '@playwright/test';
import { type MeasuredPage, shownAt, untilShown } from './page.ts';

/** A row of the list of traces. */
export const ROW = 'tbody tr[data-row]';
const TREE = '[role="tree"][aria-label="Steps"]';
const GRAPH = '.react-flow__node';
/** The views other than timeline and graph, by the names of their tabs. Each has a selector that matches once the view is drawn. */
const OTHER_VIEWS = {
  'Flame graph': '[role="tabpanel"] canvas',
  Sequence: '[role="tabpanel"] [role="listbox"]',
  Source: '[role="tabpanel"] [role="listbox"][aria-label="Files and functions"]',
} as const;

/**
 * Opens a trace from the list and switches through its views. Notes in milliseconds how long each view took to be shown, and the longest
 * tasks.
 */
export async function traceOfSteps(
  { page, busy }: MeasuredPage,
  id: string,
  note: (name: string, ms: number) => void,
): Promise<void> {
  const tasks: number[] = [];
  const noteTask = async (during: string) => {
    const { longestTaskMs } = await busy();
    tasks.push(longestTaskMs);
    note(`longest task of ${during}`, longestTaskMs);
  };
  await page.goto('/dashboard');
  await shownAt(page, ROW);
  await busy();
  const row = page.locator(`[data-row="${id}"]`);
  const open = () => row.getByRole('button', { name: 'View' }).click();
  note('open', await untilShown(page, `${TREE} [role="treeitem"]`, open));
  await noteTask('opening');
  const tab = (name: string) => () => page.getByRole('tab', { name }).click();
  await untilShown(page, OTHER_VIEWS['Flame graph'], tab('Flame graph'));
  note('timeline', await untilShown(page, '[class*="overview"] canvas', tab('Timeline')));
  await useTree(page);
  await noteTask('the tree');
  for (const [name, shown] of Object.entries(OTHER_VIEWS)) await untilShown(page, shown, tab(name));
  await noteTask('the other views');
  const graph = () => page.getByRole('button', { name: 'Flow graph' }).click();
  note('flow', await untilShown(page, GRAPH, graph));
  await noteTask('the graph');
  note('longest task', Math.max(...tasks));
}

/** Moves through the tree, and collapses, expands and jumps, like a user who looks for something. */
async function useTree(page: Page): Promise<void> {
  await page.locator(TREE).focus();
  for (const key of ['Home', 'ArrowLeft', 'ArrowRight', 'End', 'PageUp', 'e', 's', 'c']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(50);
  }
}
