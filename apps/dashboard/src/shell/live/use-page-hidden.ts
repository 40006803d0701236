import { useEffect, useState } from 'react';

/** A page counts as hidden after it has been in the background for this long. Milliseconds. */
const HIDDEN_AFTER_MS = 60_000;

/**
 * True if the page has been hidden for a minute. Browsers allow six connections to a server over HTTP/1.1 for all pages together: live
 * feeds of forgotten tabs would prevent the current tab from loading anything.
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
