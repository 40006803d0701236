import { useEffect, useState } from 'react';

/** A page counts as hidden after this time out of sight. Milliseconds. */
const HIDDEN_AFTER_MS = 60_000;

/**
 * True when the page has been out of sight for a minute. Browsers allow six connections to a server over HTTP/1.1 for
 * all pages together: forgotten tabs that each hold a live feed would keep the tab in use from loading anything.
 */
export function usePageHidden(): boolean {
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') setHidden(false);
      else timer = setTimeout(() => setHidden(true), HIDDEN_AFTER_MS);
    };
    update();
    document.addEventListener('visibilitychange', update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, []);
  return hidden;
}
