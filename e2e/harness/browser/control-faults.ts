import type { Page } from '@playwright/test';

/**
 * Finds texts and controls that are hard to read or hit: text under 11 px, a date or time that wraps, a control under 24 px that is close
 * to another control, and controls that cover each other. Each fault contains the element's text.
 */
export async function findControlFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const MIN_TEXT_PX = 11;
    const MIN_TARGET_PX = 24;
    const faults: string[] = [];
    const named = (element: Element) =>
      `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') || element.textContent || '').trim().replaceAll(/\s+/g, ' ').slice(0, 60)}"`;
    const isDrawn = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest('.visually-hidden, [aria-hidden="true"], [inert]') === null &&
      getComputedStyle(element).clipPath === 'none';

    /** Dates and times such as "14:02", "22 Nov 14:02:10.231" and "Nov 22, 2026". */
    const DATE =
      /^(\d{1,2} [A-Z][a-z]{2}|[A-Z][a-z]{2} \d{1,2})(,? \d{4})?(,? \d{1,2}:\d\d(:\d\d(\.\d+)?)?)?$|^\d{1,2}:\d\d(:\d\d(\.\d+)?)?$/;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const parent = node.parentElement;
      if (text === '' || parent === null || !isDrawn(parent)) continue;
      const size = Number.parseFloat(getComputedStyle(parent).fontSize);
      // Skips text in a graph, because users choose the graph's zoom.
      if (size < MIN_TEXT_PX && parent.closest('.react-flow') === null)
        faults.push(`text of ${size} px: ${named(parent)}`);
      if (!DATE.test(text)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) faults.push(`a date is broken over ${lines.size} lines: ${named(parent)}`);
    }

    const CONTROL =
      'button, a[href], input:not([type="hidden"]), select, textarea, summary, [role="combobox"], [role="tab"], [role="switch"]';
    /** Returns the part of an element that its scrolling ancestors and the window leave visible. */
    const findVisible = (element: Element): DOMRect | undefined => {
      let { left, top, right, bottom } = element.getBoundingClientRect();
      for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(outer);
        if (overflowX === 'visible' && overflowY === 'visible') continue;
        if (outer === document.body || outer === document.documentElement) continue;
        const box = outer.getBoundingClientRect();
        left = Math.max(left, box.left);
        top = Math.max(top, box.top);
        right = Math.min(right, box.right);
        bottom = Math.min(bottom, box.bottom);
      }
      return right - left < 1 || bottom - top < 1
        ? undefined
        : new DOMRect(left, top, right - left, bottom - top);
    };
    /** Returns the element whose area users can click: for a checkbox or radio button, an element around the input and its label. */
    const findTarget = (element: Element): Element =>
      element.matches('input[type="checkbox"], input[type="radio"]')
        ? (element.closest('label') ?? (element as HTMLInputElement).labels?.[0]?.parentElement ?? element)
        : element;
    const floats = (element: Element) => {
      for (let outer: Element | null = element; outer !== null; outer = outer.parentElement) {
        if (['fixed', 'sticky'].includes(getComputedStyle(outer).position)) return outer;
      }
      return null;
    };
    const dialog = [...document.querySelectorAll('[role="dialog"]')].filter(isDrawn).at(-1);
    const controls = [...(dialog ?? document).querySelectorAll(CONTROL)]
      // Skips controls in pictures: users can zoom graphs, and a table beside each picture has the same links.
      .filter((each) => isDrawn(each) && each.closest('.react-flow, svg') === null)
      .map((element) => ({ element, box: findVisible(findTarget(element)), floating: floats(element) }))
      .flatMap(({ element, box, floating }) => (box === undefined ? [] : [{ element, box, floating }]));

    const isInText = (element: Element) =>
      getComputedStyle(element).display.startsWith('inline') &&
      element.matches('a, button') &&
      element.parentElement?.textContent?.trim() !== element.textContent?.trim();
    for (const [index, one] of controls.entries()) {
      const { element, box, floating } = one;
      const whole = findTarget(element).getBoundingClientRect();
      const isSmall = Math.min(whole.width, whole.height) < MIN_TARGET_PX - 0.5;
      if (isSmall && !isInText(element)) {
        const x = whole.left + whole.width / 2;
        const y = whole.top + whole.height / 2;
        const close = controls.find(
          (other) =>
            other !== one &&
            !other.element.contains(element) &&
            !element.contains(other.element) &&
            Math.hypot(
              Math.max(other.box.left - x, 0, x - other.box.right),
              Math.max(other.box.top - y, 0, y - other.box.bottom),
            ) <
              MIN_TARGET_PX / 2,
        );
        if (close !== undefined)
          faults.push(
            `a control of ${Math.round(whole.width)} × ${Math.round(whole.height)} px is close to another: ${named(element)}, ${named(close.element)}`,
          );
      }
      for (const other of controls.slice(index + 1)) {
        if (element.contains(other.element) || other.element.contains(element)) continue;
        // A floating control may cover controls that scroll below it.
        if (floating !== other.floating) continue;
        const group = element.closest('.mantine-Input-wrapper, [data-covered], label, tr[data-row]');
        if (group?.contains(other.element)) continue;
        const width = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const height = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (width > 2 && height > 2)
          faults.push(
            `controls cover each other by ${Math.round(width)} × ${Math.round(height)} px: ${named(element)}, ${named(other.element)}`,
          );
      }
    }
    return [...new Set(faults)];
  });
}
