import { type RefObject, useEffect } from 'react';

/**
 * Keeps the focus inside a dialog that is open above another dialog. A button that is disabled or removed loses the focus to the page,
 * and Escape would then close the dialog below.
 */
export function useFocusInside(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = content;
    if (current === null) return;
    const changes = new MutationObserver(() => {
      if (document.activeElement === document.body) current.focus();
    });
    changes.observe(current, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    return () => changes.disconnect();
  }, [content]);
}
