import { useEffect } from 'react';

/** Returns the focus after a dialog, so that the reader continues at the same place in the list. */
export function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
}
