import type { Page } from '@playwright/test';

/**
 * Finds faults on a page when the user's own colours replace the page's colours: shapes without text that become invisible, and selected
 * elements that look like their neighbours. Before the call, the page must be shown in its own colours.
 */
export async function findForcedColourFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(markShapes);
  await page.emulateMedia({ forcedColors: 'active' });
  const faults = await page.evaluate(findLost);
  await page.emulateMedia({ forcedColors: 'none' });
  return faults;
}

/** Marks elements that are visible only because of their background: they have no text, image or child elements. */
function markShapes(): void {
  const opaque = (colour: string) => !/^(transparent|.*[,/]\s*0(\.0+)?%?\))$/.test(colour);
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    delete element.dataset.shape;
    // Skips the moving indicator. The label above it has a border that shows the selection.
    if (element.matches('.mantine-SegmentedControl-indicator')) continue;
    if (element.childNodes.length > 0 || element.closest('svg, canvas, img') !== null) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { width, height } = element.getBoundingClientRect();
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    if (width < 1 || height < 1 || !(opaque(backgroundColor) || backgroundImage !== 'none')) continue;
    const parent =
      element.parentElement === null ? '' : getComputedStyle(element.parentElement).backgroundColor;
    // Skips an element whose background covers the window or equals the background of the element's parent.
    if (backgroundImage === 'none' && backgroundColor === parent) continue;
    if (width >= window.innerWidth * 0.9 && height >= window.innerHeight * 0.9) continue;
    element.dataset.shape = 'true';
  }
}

function findLost(): string[] {
  const probe = document.body.appendChild(document.createElement('div'));
  probe.style.background = 'Canvas';
  const canvas = getComputedStyle(probe).backgroundColor;
  probe.remove();
  const named = (element: Element) => {
    const words = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
    const near =
      element.closest('[role], button, label, figure, section, td, li')?.getAttribute('aria-label') ?? '';
    return `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${words}" in "${near}"`;
  };
  const isEmpty = (colour: string) => colour === canvas || colour.startsWith('rgba(0, 0, 0, 0');
  const hasEdge = (style: CSSStyleDeclaration) =>
    style.outlineStyle !== 'none' ||
    [style.borderTopWidth, style.borderRightWidth, style.borderBottomWidth, style.borderLeftWidth].some(
      (width) => Number.parseFloat(width) > 0,
    );
  const faults: string[] = [];
  for (const element of document.querySelectorAll('[data-shape]')) {
    const style = getComputedStyle(element);
    if (!isEmpty(style.backgroundColor) || style.backgroundImage !== 'none' || hasEdge(style)) continue;
    faults.push(`a shape is invisible: ${named(element)}`);
  }
  /** Returns the CSS properties of an element and of the two levels below it that can differ when the user's colours are used. */
  const look = (element: Element): string => {
    const parts = [element, ...element.querySelectorAll(':scope > *, :scope > * > *')];
    return parts
      .map((part) => {
        const style = getComputedStyle(part);
        return [
          style.backgroundColor,
          style.color,
          style.outlineStyle,
          style.borderTopWidth,
          style.borderBottomWidth,
          style.borderBottomColor,
          style.fontWeight,
          style.textDecorationLine,
          style.opacity,
          part.tagName === 'svg' ? part.innerHTML : '',
        ].join(' ');
      })
      .join('|');
  };
  const CHOSEN =
    '[aria-selected="true"], [aria-current]:not([aria-current="false"]), [aria-pressed="true"], label[data-active]';
  for (const chosen of document.querySelectorAll(CHOSEN)) {
    if (!chosen.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    // Focuses the tree, because the current item of a tree is marked only then.
    chosen.closest<HTMLElement>('[role="tree"][aria-activedescendant]')?.focus({ preventScroll: true });
    const role = chosen.getAttribute('role');
    const group = chosen.closest(
      '[role="tablist"], [role="listbox"], [role="tree"], [role="radiogroup"], nav, table',
    );
    const peers = [...(group?.querySelectorAll(role === null ? chosen.tagName : `[role="${role}"]`) ?? [])];
    const other = peers.find((peer) => peer !== chosen && !peer.matches(CHOSEN) && peer.checkVisibility());
    if (other !== undefined && look(other) === look(chosen))
      faults.push(`nothing marks what is chosen: ${named(chosen)}`);
  }
  return [...new Set(faults)];
}
