import type { Page } from '@playwright/test';

/** Window sizes from phones to large screens. The short window corresponds to a laptop at 200 % zoom. */
export const WINDOWS = [
  { width: 360, height: 740 },
  { width: 640, height: 900, long: true },
  { width: 720, height: 450 },
  { width: 768, height: 900, long: true },
  { width: 900, height: 900, long: true },
  { width: 1080, height: 900 },
  { width: 1440, height: 900, long: true },
  { width: 2560, height: 1440, long: true },
] as const;

/**
 * Window sizes in which tests check every page. `npm test` uses a phone, a short window and a laptop; `npm run test:long` uses all sizes.
 */
export const TESTED_WINDOWS = WINDOWS.filter(
  (size) => process.env.BROWSER_TESTS === 'long' || !('long' in size),
);

/**
 * Finds layout faults on the page as it is now: the page scrolls sideways, a number or its unit wraps, a button is alone on a line of its
 * toolbar, an option of a select or the text of a badge does not fit, a line of filters ends early on a phone, the open tab or a table's
 * actions are out of view, a pane is too narrow for names, or an element is cut off at the right without a scroll bar, an ellipsis or a
 * fading edge. Each fault contains the element's text.
 */
export async function findLayoutFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const MIN_PANE_PX = 270;
    const faults: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) {
      faults.push(`the page is ${root.scrollWidth} px wide in a window of ${root.clientWidth} px`);
    }
    const named = (element: Element) =>
      `${element.tagName.toLowerCase()} "${(element.textContent || element.getAttribute('aria-label') || '').trim().replaceAll(/\s+/g, ' ').slice(0, 60)}"`;
    const isDrawn = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest('.visually-hidden, [aria-hidden="true"]') === null &&
      getComputedStyle(element).clipPath === 'none';
    const saysMore = (element: Element) =>
      !['none', undefined].includes(element.closest<HTMLElement>('[data-more]')?.dataset.more);

    /** A number with its unit or sign, such as "1,204", "12.3 ms", "$49" or "99.2 %". */
    const NUMBER = /^[$+−-]?\d[\d.,:]*(\s?(%|ms|s|min|h|d|MB|kB|GB|B))?$/;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const parent = node.parentElement;
      if (parent === null || !NUMBER.test(text) || !isDrawn(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) faults.push(`a number is broken over ${lines.size} lines: ${named(parent)}`);
    }

    const CONTROL = 'button, a, input, select, [role="combobox"], [role="tab"]';
    for (const bar of document.querySelectorAll('search, header, [role="toolbar"], [data-toolbar]')) {
      if (!isDrawn(bar)) continue;
      const boxes = [...bar.children]
        .filter(isDrawn)
        .map((child) => ({ child, box: child.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && box.height > 0);
      const lines = Map.groupBy(boxes, ({ box }) => Math.round((box.top + box.bottom) / 2 / 12));
      const [first, ...more] = [...lines].sort(([one], [other]) => one - other).map(([, line]) => line);
      if (first === undefined) continue;
      for (const line of more) {
        const [only] = line;
        if (line.length > 1 || only === undefined) continue;
        const controls = only.child.matches(CONTROL) ? [only.child] : only.child.querySelectorAll(CONTROL);
        const [control, another] = controls;
        if (control === undefined || another !== undefined) continue;
        const hasWords = only.child.textContent?.trim() !== control.textContent?.trim();
        // A control on a line of its own is no fault if it has a label beside it or is at least a third as wide as the toolbar.
        if (!hasWords && only.box.width < bar.clientWidth / 3) {
          faults.push(`a control is alone on a line: ${named(control)}`);
        }
      }
    }

    for (const bar of root.clientWidth < 480 ? document.querySelectorAll('main search') : []) {
      const edge = bar.getBoundingClientRect().right;
      // Includes labels, because the input of a switch is invisible and only its label is drawn.
      const boxes = [...bar.querySelectorAll(`${CONTROL}, label`)]
        .filter(isDrawn)
        .map((each) => each.getBoundingClientRect());
      for (const select of bar.querySelectorAll('select')) {
        const { top, bottom } = select.getBoundingClientRect();
        const beside = boxes.filter((box) => box.top < bottom && box.bottom > top);
        const end = Math.max(...beside.map((box) => box.right));
        if (isDrawn(select) && end < edge - 2)
          faults.push(`a line of filters ends ${Math.round(edge - end)} px early: ${named(select)}`);
      }
    }

    for (const label of document.querySelectorAll('.mantine-Badge-label')) {
      if (isDrawn(label) && label.scrollWidth > label.clientWidth + 1 && label.closest('[title]') === null)
        faults.push(`a badge is cut: ${named(label)}`);
    }

    for (const tab of document.querySelectorAll('[role="tab"][aria-selected="true"]')) {
      const list = tab.closest('[role="tablist"]');
      if (list === null || !isDrawn(tab)) continue;
      const { left, right } = tab.getBoundingClientRect();
      const room = list.getBoundingClientRect();
      if (left < room.left - 1 || right > room.right + 1)
        faults.push(`the open tab is out of view: ${named(tab)}`);
    }

    const canvas = document.createElement('canvas').getContext('2d');
    for (const select of document.querySelectorAll('select')) {
      const text = select.selectedOptions[0]?.text ?? '';
      if (canvas === null || !isDrawn(select)) continue;
      const { font, paddingLeft, paddingRight, textOverflow } = getComputedStyle(select);
      // A long name can end in an ellipsis, but a time must fit.
      if (textOverflow === 'ellipsis' && !/\d:\d/.test(text)) continue;
      canvas.font = font;
      const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      const needed = canvas.measureText(text).width;
      if (needed > room + 1)
        faults.push(`${Math.ceil(needed - room)} px of a selected option are cut off: "${text}"`);
    }

    // A pane beside another pane must have room for a name. Narrow windows show the panes one below the other, without a divider.
    for (const divider of document.querySelectorAll('[role="separator"][aria-label="Resize panels"]')) {
      if (!isDrawn(divider)) continue;
      for (const pane of [divider.previousElementSibling, divider.nextElementSibling]) {
        const { width = 0 } = pane?.getBoundingClientRect() ?? {};
        if (width < MIN_PANE_PX) faults.push(`a pane beside another is ${Math.round(width)} px wide`);
      }
    }

    for (const head of document.querySelectorAll('th')) {
      const frame = head.closest('[data-more]');
      if (frame === null || head.textContent?.trim() !== 'Actions' || !isDrawn(head)) continue;
      if (head.getBoundingClientRect().right > frame.getBoundingClientRect().right + 1)
        faults.push('the actions of a table are out of view');
    }

    // Skips trees, in which users can widen columns, and graphs, which users can move.
    for (const element of document.querySelectorAll('body *')) {
      if (element.scrollWidth <= element.clientWidth + 1 || !isDrawn(element)) continue;
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isCut = (overflowX === 'hidden' || overflowX === 'clip') && textOverflow !== 'ellipsis';
      if (
        isCut &&
        element.textContent?.trim() !== '' &&
        element.closest('svg, [role="tree"], .react-flow') === null &&
        !saysMore(element)
      ) {
        faults.push(
          `${element.scrollWidth - element.clientWidth} px are cut off: ${named(element)}.${element.className}`,
        );
      }
      const scrolls = overflowX === 'auto' || overflowX === 'scroll';
      const isTabs = element.matches('[role="tablist"]');
      if (scrolls && !saysMore(element) && (isTabs || element.querySelector('table') !== null)) {
        faults.push(
          `${isTabs ? 'tabs scroll' : 'a table scrolls'} without a sign of more: ${named(element)}`,
        );
      }
    }
    return faults;
  });
}
