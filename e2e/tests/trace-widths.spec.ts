import { expect, type Page } from '@playwright/test';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';
import { valuesOfEachKind } from '../harness/traces/values-of-each-kind.ts';

const SIZES = [
  { width: 360, height: 740 },
  { width: 720, height: 450 },
  { width: 768, height: 900 },
  { width: 900, height: 900 },
  { width: 1440, height: 900 },
];
const VIEWS = ['timeline', 'flow', 'sequence', 'files', 'request', 'response'];

/** Finds layout faults: content beyond the page, numbers on two lines, overlapping controls. */
function findFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) faults.push('the page scrolls sideways');
    const content = document.querySelector('main') ?? document.body;
    const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      for (const { index, 0: number } of (node.textContent ?? '').matchAll(/\d[\d.,:]*/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + number.length);
        const tops = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
        if (tops.size > 1) faults.push(`${number} is broken`);
      }
    }
    const controls = Array.from(
      content.querySelectorAll(
        'header button, header a, [role="search"] button, search button, search input',
      ),
      (control) => ({ control, box: control.getBoundingClientRect() }),
    ).filter(({ control, box }) => box.width > 1 && control.checkVisibility({ opacityProperty: true }));
    for (const [index, { control, box }] of controls.entries()) {
      for (const { control: other, box: near } of controls.slice(index + 1)) {
        const wide = Math.min(box.right, near.right) - Math.max(box.left, near.left);
        const high = Math.min(box.bottom, near.bottom) - Math.max(box.top, near.top);
        if (wide <= 1 || high <= 1 || control.parentElement?.parentElement?.contains(other)) continue;
        faults.push(`${control.textContent} lies on ${other.textContent}`);
      }
    }
    return faults;
  });
}

test('no view of a trace overflows, wraps a number, overlaps controls or squeezes a pane, at any width @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [valuesOfEachKind(new Date())]);
  for (const view of VIEWS) {
    await openOwnTrace(page, `?view=${view}`);
    await expect(page.locator('[role="tabpanel"], .react-flow__node').first()).toBeVisible();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const findAll = async () => [...(await findFaults(page)), ...(await findLayoutFaults(page))];
      await expect.poll(findAll, `${view} at ${size.width}`).toEqual([]);
    }
  }
});
