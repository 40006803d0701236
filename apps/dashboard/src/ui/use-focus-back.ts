import { useEffect } from 'react';

/** What had the focus when a dialog came gets it back, so that one reads on in the list where one was. */
export function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
}
