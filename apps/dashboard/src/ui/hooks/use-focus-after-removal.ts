import { type RefObject, useLayoutEffect } from 'react';

const HEADINGS = 'h1, h2, h3, h4';
/** Marks the button that retries a failed load. */
export const RETRY_BUTTON = 'data-retry';

/** If a part of the page is removed while it contains the focus, moves the focus to the content that replaces the part. */
export function useFocusAfterRemoval(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = part;
    return () => {
      if (current?.contains(document.activeElement) === true) moveFocusOn(current);
    };
  }, [part]);
}

/** Waits until nothing is loading at the removed part's position. If the user moved the focus in the meantime, the focus stays. */
function moveFocusOn(part: HTMLElement): void {
  const around = listAncestors(part);
  const changes = new MutationObserver(() => {
    const [nearest] = around.filter(({ isConnected }) => isConnected);
    if (nearest === undefined || !hasNoFocus()) stop();
    else if (nearest.querySelector('[aria-busy="true"]') === null) {
      stop();
      focusWithin(nearest);
    }
  });
  const stop = () => {
    changes.disconnect();
    document.removeEventListener('focusin', stop);
  };
  changes.observe(document.body, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
  document.addEventListener('focusin', stop);
}

function hasNoFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function listAncestors(part: HTMLElement): readonly HTMLElement[] {
  const { parentElement } = part;
  return parentElement === null ? [] : [parentElement, ...listAncestors(parentElement)];
}

/**
 * Focuses a retry button in `nearest`: another load failed there. Without such a button, focuses the heading of `nearest`, or else of the
 * smallest part around it that has a heading. Without any heading, focuses `nearest` itself.
 */
function focusWithin(nearest: HTMLElement): void {
  const target =
    nearest.querySelector<HTMLElement>(`[${RETRY_BUTTON}]`) ??
    [nearest, ...listAncestors(nearest)]
      .map((part) => part.querySelector<HTMLElement>(HEADINGS))
      .find((heading) => heading !== null) ??
    nearest;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
