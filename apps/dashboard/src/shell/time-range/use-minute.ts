import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** Returns the start of the current minute, and renders again when a minute begins. Epoch milliseconds. */
export function useMinute(): number {
  const [minute, setMinute] = useState(beginMinute);
  useEffect(() => {
    const timer = setInterval(() => setMinute(beginMinute()), MINUTE_MS / 6);
    return () => clearInterval(timer);
  }, []);
  return minute;
}

function beginMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
}
