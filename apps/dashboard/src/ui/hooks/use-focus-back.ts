import { useEffect } from 'react';

/**
 * When a dialog closes, moves the focus back to the element that had the focus before the dialog opened, so that the user continues at the
 * same place in the list.
 */
export function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
}
