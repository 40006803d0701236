import type { Locator, Page } from '@playwright/test';

/** Locates a function's card in the graph of functions. */
export function functionCard(page: Page, name: string | RegExp): Locator {
  return page.locator('[data-function]').filter({ hasText: name });
}

/** Returns the names of the functions whose cards are highlighted and completely visible on the canvas. */
export function listLitInView(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const canvas = document.querySelector('.react-flow')?.getBoundingClientRect() ?? new DOMRect();
    return [...document.querySelectorAll('[data-function]')].flatMap((card) => {
      const { left, right, top, bottom } = card.getBoundingClientRect();
      const isIn =
        left >= canvas.left && right <= canvas.right && top >= canvas.top && bottom <= canvas.bottom;
      const isLit = card.getAttribute('data-tone') !== 'faded';
      return isIn && isLit ? [card.getAttribute('aria-label')?.split(',')[0] ?? ''] : [];
    });
  });
}

/** Returns the smallest font size on the graph in pixels, as it appears at the current zoom. Returns undefined if there is no text. */
export function measureSmallestLabel(page: Page): Promise<number | undefined> {
  return page.evaluate(() => {
    const view = document.querySelector('.react-flow__viewport');
    if (view === null) return undefined;
    const zoom = new DOMMatrix(getComputedStyle(view).transform).a;
    const texts = document.createTreeWalker(view, NodeFilter.SHOW_TEXT);
    let smallest: number | undefined;
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (parent === null || parent.getClientRects().length === 0) continue;
      const size = Number.parseFloat(getComputedStyle(parent).fontSize) * zoom;
      smallest = Math.min(smallest ?? size, size);
    }
    return smallest;
  });
}
