import { useEffect, useState } from 'react';

/** A page that was not seen for so long is put aside. Milliseconds. */
const ASIDE_AFTER_MS = 60_000;

/**
 * Whether this page has been out of sight for a while. Browsers allow six connections to a server over HTTP/1.1, all
 * pages together: forgotten tabs that each hold a live feed would keep the one in use from loading anything.
 */
export function usePutAside(): boolean {
  const [aside, setAside] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') setAside(false);
      else timer = setTimeout(() => setAside(true), ASIDE_AFTER_MS);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return aside;
}
